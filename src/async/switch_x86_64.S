/* SPDX-License-Identifier: MIT */
/*
 * switch_x86_64.S - the context switch for x86-64 (System V ABI)
 *
 * What a stack that is left holds, from its stack pointer upwards:
 *
 *   +0   MXCSR (4 bytes), x87 control word (2), padding
 *   +8   r15   +16  r14   +24  r13   +32  r12   +40  rbx   +48  rbp
 *   +56  the address to go on at
 *
 * These are all the registers that a called function must preserve; the compiler has saved the rest
 * around the call. The signal mask is not touched: it belongs to the thread.
 *
 * endbr64 stands at both places that may be reached by an indirect branch. The shadow-stack note
 * (SHSTK) is left out on purpose: a switch without a second shadow stack would fault under it, and
 * the missing note makes the linker leave it off for the whole program.
 */
#if defined(__x86_64__)

        .text

/* void skua__switch(void **from_sp, void *to_sp) */
        .globl  skua__switch
        .hidden skua__switch
        .type   skua__switch, @function
        .p2align 4
skua__switch:
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r12, 0
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r13, 0
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r14, 0
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r15, 0
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        stmxcsr (%rsp)
        fnstcw  4(%rsp)

        movq    %rsp, (%rdi)
        movq    %rsi, %rsp

        ldmxcsr (%rsp)
        fldcw   4(%rsp)
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %r15
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r15
        popq    %r14
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r14
        popq    %r13
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r13
        popq    %r12
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r12
        popq    %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        popq    %rbp
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbp
        ret
        .cfi_endproc
        .size   skua__switch, . - skua__switch

/*
 * Where a new stack begins: r12 is the argument, r13 the function. The frame pointer is zero and
 * the return address undefined, so that debuggers and profilers end their walk here.
 */
        .type   enter_stack, @function
        .p2align 4
enter_stack:
        .cfi_startproc
        .cfi_undefined %rip
        endbr64
        xorl    %ebp, %ebp
        movq    %r12, %rdi
        call    *%r13
        ud2
        .cfi_endproc
        .size   enter_stack, . - enter_stack

/* void *skua__switch_prepare(void *top, void (*fn)(void *), void *arg); `top` is 16-byte aligned */
        .globl  skua__switch_prepare
        .hidden skua__switch_prepare
        .type   skua__switch_prepare, @function
        .p2align 4
skua__switch_prepare:
        .cfi_startproc
        endbr64
        leaq    -80(%rdi), %rax
        xorl    %ecx, %ecx
        leaq    enter_stack(%rip), %r8
        movq    %rcx, (%rax)
        stmxcsr (%rax)
        fnstcw  4(%rax)
        movq    %rcx, 8(%rax)
        movq    %rcx, 16(%rax)
        movq    %rsi, 24(%rax)
        movq    %rdx, 32(%rax)
        movq    %rcx, 40(%rax)
        movq    %rcx, 48(%rax)
        movq    %r8, 56(%rax)
        movq    %rcx, 64(%rax)
        movq    %rcx, 72(%rax)
        ret
        .cfi_endproc
        .size   skua__switch_prepare, . - skua__switch_prepare

#endif

#if defined(__linux__) && defined(__ELF__)
        .section .note.GNU-stack, "", %progbits
#endif

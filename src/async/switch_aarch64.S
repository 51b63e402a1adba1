/* SPDX-License-Identifier: MIT */
/*
 * switch_aarch64.S - the context switch for aarch64 (AAPCS64)
 *
 * What a stack that is left holds, from its stack pointer upwards:
 *
 *   +0    x19 x20   +16  x21 x22   +32  x23 x24   +48  x25 x26   +64  x27 x28
 *   +80   x29 (frame pointer), x30 (the address to go on at)
 *   +96   d8 d9     +112 d10 d11   +128 d12 d13   +144 d14 d15
 *   +160  FPCR, padding
 *
 * These are all the registers that a called function must preserve; the compiler has saved the rest
 * around the call. Of the vector registers only the low halves of v8 to v15 are preserved.
 */
#if defined(__aarch64__)

        .text

/* void skua__switch(void **from_sp, void *to_sp) */
        .globl  skua__switch
        .hidden skua__switch
        .type   skua__switch, %function
        .p2align 4
skua__switch:
        .cfi_startproc
        hint    #34                     /* bti c */
        sub     sp, sp, #176
        .cfi_adjust_cfa_offset 176
        stp     x19, x20, [sp, #0]
        stp     x21, x22, [sp, #16]
        stp     x23, x24, [sp, #32]
        stp     x25, x26, [sp, #48]
        stp     x27, x28, [sp, #64]
        stp     x29, x30, [sp, #80]
        .cfi_rel_offset x29, 80
        .cfi_rel_offset x30, 88
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        mrs     x9, fpcr
        str     x9, [sp, #160]

        mov     x10, sp
        str     x10, [x0]
        mov     sp, x1

        /* Writing FPCR drains the pipeline, so it is written only when it differs. */
        ldr     x10, [sp, #160]
        cmp     x9, x10
        b.eq    1f
        msr     fpcr, x10
1:      ldp     d14, d15, [sp, #144]
        ldp     d12, d13, [sp, #128]
        ldp     d10, d11, [sp, #112]
        ldp     d8, d9, [sp, #96]
        ldp     x29, x30, [sp, #80]
        ldp     x27, x28, [sp, #64]
        ldp     x25, x26, [sp, #48]
        ldp     x23, x24, [sp, #32]
        ldp     x21, x22, [sp, #16]
        ldp     x19, x20, [sp, #0]
        add     sp, sp, #176
        .cfi_adjust_cfa_offset -176
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size   skua__switch, . - skua__switch

/*
 * Where a new stack begins: x19 is the argument, x20 the function. The frame pointer is zero and
 * the return address undefined, so that debuggers and profilers end their walk here.
 */
        .type   enter_stack, %function
        .p2align 4
enter_stack:
        .cfi_startproc
        .cfi_undefined x30
        hint    #36                     /* bti j */
        mov     x29, xzr
        mov     x30, xzr
        mov     x0, x19
        blr     x20
        brk     #1
        .cfi_endproc
        .size   enter_stack, . - enter_stack

/* void *skua__switch_prepare(void *top, void (*fn)(void *), void *arg); `top` is 16-byte aligned */
        .globl  skua__switch_prepare
        .hidden skua__switch_prepare
        .type   skua__switch_prepare, %function
        .p2align 4
skua__switch_prepare:
        .cfi_startproc
        hint    #34                     /* bti c */
        sub     x0, x0, #176
        adr     x9, enter_stack
        mrs     x10, fpcr
        stp     x2, x1, [x0, #0]
        stp     xzr, xzr, [x0, #16]
        stp     xzr, xzr, [x0, #32]
        stp     xzr, xzr, [x0, #48]
        stp     xzr, xzr, [x0, #64]
        stp     xzr, x9, [x0, #80]
        stp     xzr, xzr, [x0, #96]
        stp     xzr, xzr, [x0, #112]
        stp     xzr, xzr, [x0, #128]
        stp     xzr, xzr, [x0, #144]
        stp     x10, xzr, [x0, #160]
        ret
        .cfi_endproc
        .size   skua__switch_prepare, . - skua__switch_prepare

#endif

#if defined(__linux__) && defined(__ELF__)
        .section .note.GNU-stack, "", %progbits
#endif

// The pages of ejs_test.c, compiled once for each worker. `ejs` is the npm package, unchanged.

const state = { asked: 0, begun: 0 };

const texts = {
    hello: `<!DOCTYPE html>
<html>
  <head><title><%= title %></title></head>
  <body>
    <ul><% for (const bird of birds) { %><li><%= bird.name %> <%- bird.count %></li><% } %></ul>
  </body>
</html>
`,
    ask: '<% state.asked++ %>asked',
    begun: '<%= state.begun %>',
    odd: 'a\0b<%= "\ud800" %>c🐦',
    broken: '<p>\n<%= title %>\n<%= nothing.here %>\n</p>',
    pauses: '<p>\n<% pause(1) %>\n</p>',
};

const asyncTexts = {
    later: "<p><%= await later(20, 'late') %> <%= await later(0, title) %></p>",
    'first-of-three': `<%=
    await Promise.race([later(3600000, 'late'), later(1, 'first'), later(7200000, 'last')]) %>`,
    'settled-before': '<p><%= await Promise.resolve(title) %></p>',
    // Ends only when another request has been answered meanwhile.
    'waits-for-others': `<% state.begun++; let seen = { asked: state.asked };
while (seen.asked === state.asked) seen = await later(1, { ...seen }) %><p><%= title %> was asked for</p>`,
    'takes-an-hour': '<% state.begun++ %><%= await later(3600000, title) %>',
    'breaks-late': '<p>\n<% await later(1) %>\n<%= nothing.here %>\n</p>',
    'throws-nothing': '<% await later(1); throw undefined %>',
    'pauses-late': '<p>\n<% await later(1); pause(1) %>\n</p>',
    // Other timers go on and make garbage all the while.
    'never-settled': `<% const others = async () => {
    for (let i = 0; i < 100; i++) JSON.parse(await later(0, '[{"a": 1}, {"b": "2"}]'));
}; others() %><%= await new Promise(() => {}) %>`,
};

const pages = new Map();
for (const [name, text] of Object.entries(texts))
    pages.set(name, ejs.compile(text, { filename: name }));
for (const [name, text] of Object.entries(asyncTexts))
    pages.set(name, ejs.compile(text, { filename: name, async: true }));

function render(name, json) {
    return pages.get(name)(JSON.parse(json));
}

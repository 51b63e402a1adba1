// The hello of Node's own http module: node node-http.js PORT
'use strict'

const http = require('node:http')

http
  .createServer((req, res) => {
    res.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': 13 })
    res.end('Hello, World!')
  })
  .listen(Number(process.argv[2]), '127.0.0.1')

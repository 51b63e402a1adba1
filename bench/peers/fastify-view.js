// @fastify/view with Mustache on the page that the subject serves too: node fastify-view.js PORT
'use strict'

const path = require('node:path')
const fastify = require('fastify')()

fastify.register(require('@fastify/view'), {
  engine: { mustache: require('mustache') },
  root: path.join(__dirname, '..', 'views'),
  production: true
})
fastify.get('/page', (req, reply) => reply.view('index.html', { text: 'text' }))
fastify.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })

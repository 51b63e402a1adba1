// Fastify as its first page shows it, with a schema for the JSON reply: node fastify.js PORT
'use strict'

const fastify = require('fastify')()

const schema = {
  response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } }
}

fastify.get('/', (req, reply) => {
  reply.send('Hello, World!')
})
fastify.get('/json', { schema }, (req, reply) => {
  reply.send({ hello: 'world' })
})
fastify.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })

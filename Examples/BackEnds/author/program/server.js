// Where your server is. Its host and port are among `serverDomains`, or the phone asks nobody there.
module.exports = "http://127.0.0.1:3000";

// Our own server. Keys, tokens and prices stay there: a mini program only asks.
const { author } = require('./config');

// Asks the server, and gives what it answered. Fails where it refuses, or does not answer.
const ask = (path, data) => my.request({
  url: `${author}/author/v1/${path}`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  data
}).then((answer) => answer.data);

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Asks what became of an order until the server knows, a few times. What nobody knows yet is never called failed.
const settle = async (number) => {
  for (const wait of [0, 500, 1000, 2000, 4000]) {
    await pause(wait);
    try {
      const { state } = await ask(`orders/${number}/state`, {});
      if (state !== 'unpaid') return state;
    } catch (error) {
      // No answer is no news.
    }
  }
  return 'unknown';
};

module.exports = { author, ask, settle };

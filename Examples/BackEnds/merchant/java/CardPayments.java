import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A merchant's back end for card payments: an order, its payment, the webhook that tells of it, and a refund.
 * Its environment is what `billfold sandbox register merchant` writes. It needs nothing but Java 17: java CardPayments.java
 */
public class CardPayments {
    static final String API = System.getenv("BILLFOLD_API"), KEY = System.getenv("BILLFOLD_API_KEY");
    static final String PAY_PAGE = System.getenv("BILLFOLD_PAY_PAGE");
    static final String OWN = System.getenv().getOrDefault("OWN_ORIGIN", "http://127.0.0.1:3000");
    static final Duration PATIENCE = Duration.ofMinutes(3);
    static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    static class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refusal(String reason) { super(reason); }
    }

    /** Calls the server. A write has a name, its idempotency key: what was not answered is sent again under the same one. */
    static Map<String, Object> call(String method, String path, String body, String key, String name) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(API + path)).timeout(Duration.ofSeconds(30))
            .header("Authorization", "Bearer " + key).header("Content-Type", "application/json")
            .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (name != null) request.header("Idempotency-Key", name);
        for (int attempt = 0; attempt < 4; attempt++) {
            HttpResponse<String> answer;
            try {
                answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            } catch (IOException problem) {
                if (method.equals("POST") && name == null) throw problem;
                Thread.sleep(1000L << attempt);
                continue;
            }
            if (answer.statusCode() == 204) return Map.of();
            var told = object(Json.read(answer.body()));
            if (answer.statusCode() < 300) return told;
            if (answer.statusCode() != 429 && answer.statusCode() != 503) {
                throw new Refusal(method + " " + path + " was refused: " + answer.statusCode() + " " + told.get("error"));
            }
            Thread.sleep(1000 * Long.parseLong(answer.headers().firstValue("Retry-After").orElse("1")));
        }
        throw new Refusal(method + " " + path + " was not answered; whether it happened is not known");
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) { return (Map<String, Object>) value; }

    /** Listens for events. What it takes it puts into a queue and answers at once; a shop would put it into its database. */
    static class Hook {
        final LinkedBlockingQueue<Map<String, Object>> events = new LinkedBlockingQueue<>();
        final Set<Object> seen = new HashSet<>();
        final HttpServer server;
        volatile String secret;

        Hook() throws IOException {
            var own = URI.create(OWN);
            server = HttpServer.create(new InetSocketAddress(own.getHost(), own.getPort()), 0);
            server.createContext("/hook", this::take);
            server.start();
        }

        String register() throws Exception {
            for (Object endpoint : (List<?>) call("GET", "/v1/webhook-endpoints", null, KEY, null).get("endpoints")) {
                // Left by an earlier run: its secret was told then and is told no more.
                var old = object(endpoint);
                if (old.get("url").equals(OWN + "/hook")) call("DELETE", "/v1/webhook-endpoints/" + old.get("id"), null, KEY, null);
            }
            var endpoint = call("POST", "/v1/webhook-endpoints", "{\"url\":\"" + OWN + "/hook\"}", KEY, null);
            secret = (String) endpoint.get("secret");
            return (String) endpoint.get("id");
        }

        void take(HttpExchange exchange) throws IOException {
            // The bytes as they came, before anything parses them.
            byte[] body = exchange.getRequestBody().readNBytes(100_000);
            boolean isOurs = isSigned(exchange, body);
            exchange.sendResponseHeaders(isOurs ? 204 : 400, -1);
            exchange.close();
            if (!isOurs) return;
            var event = object(Json.read(new String(body, StandardCharsets.UTF_8)));
            if (seen.add(event.get("id"))) events.add(event);
        }

        /** Standard Webhooks: HMAC-SHA256 over id, timestamp and body. Several signatures stand there while a secret is being changed. */
        boolean isSigned(HttpExchange exchange, byte[] body) {
            try {
                var headers = exchange.getRequestHeaders();
                String id = headers.getFirst("webhook-id"), time = headers.getFirst("webhook-timestamp");
                if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) > 300) return false;
                var mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replace("whsec_", "")), "HmacSHA256"));
                mac.update((id + "." + time + ".").getBytes(StandardCharsets.UTF_8));
                byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
                return Arrays.stream(headers.getFirst("webhook-signature").split(" "))
                    .anyMatch(given -> MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8)));
            } catch (Exception unreadable) {
                return false;
            }
        }

        /** The data of the first event that `wanted` says yes to. Types that are not known are passed over. */
        Map<String, Object> await(Predicate<Map<String, Object>> wanted) throws Exception {
            var end = Instant.now().plus(PATIENCE);
            while (Instant.now().isBefore(end)) {
                var event = events.poll(1, TimeUnit.SECONDS);
                if (event == null) continue;
                System.out.println("heard " + event.get("type") + " of " + object(event.get("object")).get("id"));
                if (wanted.test(event)) return event;
            }
            throw new Refusal("no event came in time: the outcome is not known, neither paid nor failed; ask for the order later");
        }
    }

    static void run(Hook hook) throws Exception {
        String endpoint = hook.register(), run = UUID.randomUUID().toString();
        var order = call("POST", "/v1/orders", """
            {"reference": "shop-%s", "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "My shop",
             "lines": [{"label": "Field guide", "unitAmount": "33.00", "quantity": 1}]}
            """.formatted(run.substring(0, 13)), KEY, "order-" + run);
        // A shop's app asks for the number itself: the client secret is good for this order alone.
        var secret = (String) order.get("clientSecret");
        var number = call("POST", "/v1/orders/" + order.get("id") + "/transaction-numbers", "{}", secret, "number-" + run);
        if (number.get("tn") == null) throw new Refusal("there is no number: the payment is " + object(number.get("payment")).get("state"));
        System.out.println("customer pays at " + PAY_PAGE + "/" + number.get("tn") + "?scheme=myshop&mode=01");

        var paid = hook.await(event -> List.of("payment.succeeded", "payment.failed").contains(event.get("type"))
            && order.get("id").equals(object(event.get("data")).get("order")));
        if (paid.get("type").equals("payment.failed")) throw new Refusal("the payment failed: no money moved");
        var payment = object(paid.get("data"));
        System.out.println("paid " + payment.get("amount") + " " + payment.get("currency"));

        var wish = "{\"amount\":\"10.00\",\"reason\":\"a torn page\"}";
        var refund = call("POST", "/v1/payments/" + payment.get("id") + "/refunds", wish, KEY, "refund-" + run);
        System.out.println("refund is " + refund.get("state") + ": on its way, not yet given back");
        var back = hook.await(event -> List.of("refund.succeeded", "refund.failed").contains(event.get("type"))
            && refund.get("id").equals(object(event.get("object")).get("id")));
        if (back.get("type").equals("refund.failed")) throw new Refusal("the refund failed");
        System.out.println("refunded 10.00");
        call("DELETE", "/v1/webhook-endpoints/" + endpoint, null, KEY, null);
    }

    public static void main(String[] arguments) throws Exception {
        var hook = new Hook();
        try {
            run(hook);
            System.exit(0);
        } catch (Refusal | IOException refusal) {
            System.err.println(refusal.getMessage());
            System.exit(1);
        }
    }

    /** JSON as maps, lists, texts, numbers' texts and booleans: Java brings no reader. Take your shop's library in its place. */
    static class Json {
        final String text;
        int at = 0;

        Json(String text) { this.text = text; }

        static Object read(String text) { return new Json(text).value(); }

        char next() {
            while (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == ',' || text.charAt(at) == ':') at++;
            return text.charAt(at);
        }

        Object value() {
            switch (next()) {
                case '{' -> {
                    var members = new LinkedHashMap<String, Object>();
                    for (at++; next() != '}';) members.put(string(), value());
                    at++;
                    return members;
                }
                case '[' -> {
                    var elements = new ArrayList<Object>();
                    for (at++; next() != ']';) elements.add(value());
                    at++;
                    return elements;
                }
                case '"' -> { return string(); }
                default -> {
                    int start = at;
                    while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) at++;
                    String word = text.substring(start, at);
                    return word.equals("null") ? null : word.equals("true") || word.equals("false") ? (Object) Boolean.valueOf(word) : word;
                }
            }
        }

        String string() {
            next();
            var read = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) != '\\') {
                    read.append(text.charAt(at));
                } else if (text.charAt(++at) == 'u') {
                    read.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    int place = "bfnrt".indexOf(text.charAt(at));
                    read.append(place < 0 ? text.charAt(at) : "\b\f\n\r\t".charAt(place));
                }
            }
            at++;
            return read.toString();
        }
    }
}

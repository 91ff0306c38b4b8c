// A merchant's back end for card payments that nobody can call: an order, its payment, the feed of events that tells of it, and a refund.
// Its environment is what `billfold sandbox register merchant` writes. It needs nothing but Foundation: swiftc main.swift -o card-payments
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Refusal: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

/// Says a line at once, also to a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

func setting(_ name: String) throws -> String {
    guard let value = ProcessInfo.processInfo.environment[name] else { throw Refusal("\(name) is not set") }
    return value
}

struct Order: Decodable {
    var id: String
    var clientSecret: String
}

struct Number: Decodable {
    struct Payment: Decodable { var state: String }
    var payment: Payment
    var tn: String?
}

struct Refund: Decodable {
    var id: String
    var state: String
}

/// An event of the feed, as far as this shop reads it. Members and types that are not known are passed over.
struct Event: Decodable {
    struct Object: Decodable { var id: String }
    struct Content: Decodable {
        var order: String?
        var amount: String?
        var currency: String?
    }
    var type: String
    var object: Object
    var data: Content
}

struct Page: Decodable {
    var events: [Event]
    var hasMore: Bool
    var next: String
}

struct Told: Decodable {
    struct Problem: Decodable {
        var code: String
        var reason: String
    }
    var error: Problem
}

struct Shop {
    let api: String
    let key: String

    /// Calls the server. A write has a name, its idempotency key: what was not answered is sent again under the same one, so that nothing
    /// happens twice.
    func call<Answer: Decodable>(
        _ method: String, _ path: String, body: String? = nil, bearer: String? = nil, name: String? = nil, as answer: Answer.Type
    ) async throws -> Answer {
        var request = URLRequest(url: URL(string: api + path)!, timeoutInterval: 30)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("Bearer \(bearer ?? key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(name, forHTTPHeaderField: "Idempotency-Key")
        for attempt in 0..<4 {
            guard let (data, response) = try? await URLSession.shared.data(for: request),
                let status = (response as? HTTPURLResponse)?.statusCode, status != 429, status != 503
            else {
                try await Task.sleep(for: .seconds(1 << attempt))
                continue
            }
            guard status < 300 else {
                let error = try JSONDecoder().decode(Told.self, from: data).error
                throw Refusal("\(method) \(path) was refused: \(status) \(error.code): \(error.reason)")
            }
            return try JSONDecoder().decode(Answer.self, from: data)
        }
        throw Refusal("\(method) \(path) was not answered; whether it happened is not known")
    }

    /// Where the feed ends now: what is told from here on is new.
    func end() async throws -> String {
        var page = try await call("GET", "/v1/events?limit=200", as: Page.self)
        while page.hasMore { page = try await call("GET", "/v1/events?limit=200&after=\(page.next)", as: Page.self) }
        return page.next
    }

    /// The first event behind the cursor that fits; the cursor moves on. A shop keeps it in its database.
    func event(after cursor: inout String, where fits: (Event) -> Bool) async throws -> Event {
        for _ in 0..<360 {
            let page = try await call("GET", "/v1/events?limit=200&after=\(cursor)", as: Page.self)
            cursor = page.next
            for event in page.events { say("heard \(event.type) of \(event.object.id)") }
            if let found = page.events.first(where: fits) { return found }
            if !page.hasMore { try await Task.sleep(for: .milliseconds(500)) }
        }
        throw Refusal("no event came in time: the outcome is not known, neither paid nor failed; ask for the order later")
    }
}

func run() async throws {
    let shop = Shop(api: try setting("BILLFOLD_API"), key: try setting("BILLFOLD_API_KEY"))
    var cursor = try await shop.end()
    let run = UUID().uuidString
    let wish = """
        {"reference": "shop-\(run.prefix(13))", "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "My shop",
         "lines": [{"label": "Field guide", "unitAmount": "33.00", "quantity": 1}]}
        """
    let order = try await shop.call("POST", "/v1/orders", body: wish, name: "order-\(run)", as: Order.self)
    // A shop's app asks for the number itself: the client secret is good for this order alone.
    let number = try await shop.call(
        "POST", "/v1/orders/\(order.id)/transaction-numbers", body: "{}", bearer: order.clientSecret, name: "number-\(run)", as: Number.self
    )
    guard let tn = number.tn else { throw Refusal("there is no number: the payment is \(number.payment.state)") }
    say("customer pays at \(try setting("BILLFOLD_PAY_PAGE"))/\(tn)?scheme=myshop&mode=01")

    let paid = try await shop.event(after: &cursor) {
        $0.data.order == order.id && ["payment.succeeded", "payment.failed"].contains($0.type)
    }
    guard paid.type == "payment.succeeded" else { throw Refusal("the payment failed: no money moved") }
    say("paid \(paid.data.amount ?? "") \(paid.data.currency ?? "")")

    let refund = try await shop.call(
        "POST", "/v1/payments/\(paid.object.id)/refunds", body: #"{"amount": "10.00", "reason": "a torn page"}"#, name: "refund-\(run)",
        as: Refund.self)
    say("refund is \(refund.state): on its way, not yet given back")
    let back = try await shop.event(after: &cursor) {
        $0.object.id == refund.id && ["refund.succeeded", "refund.failed"].contains($0.type)
    }
    guard back.type == "refund.succeeded" else { throw Refusal("the refund failed") }
    say("refunded 10.00")
}

do {
    try await run()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}

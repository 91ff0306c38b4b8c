import Foundation

/// The shop's own server over HTTP. The app asks it for every figure, and believes nobody else about money.
struct ShopServer: Sendable {
    /// The server answered, and said no.
    struct Refusal: Error {
        let status: Int
    }

    /// What the server says of an order.
    struct State: Decodable {
        let number: String
        let state: String
    }

    /// An order that Alipay pays.
    struct ExpressOrder: Decodable {
        let number: String
        /// The signed text for the wallet. The app hands it on as it is.
        let order: String
    }

    /// A payment that was begun for the sheet.
    struct SheetPayment: Decodable {
        struct Payment: Decodable {
            let paymentData: String?
        }
        let payments: [Payment]
    }

    let origin: URL

    // MARK: Alipay

    func placeExpressOrder(_ offer: String) async throws -> ExpressOrder {
        try await post("alipay-merchant/v1/orders", ["offer": offer, "generation": "modern"])
    }

    /// - Parameters:
    ///   - number: The order's.
    ///   - result: What came back to the phone, if anything: the server may look at it, and asks Alipay in any case.
    func expressState(of number: String, result: [String: String]) async throws -> State {
        try await post("alipay-merchant/v1/orders/\(number)/state", result)
    }

    // MARK: Alipay+

    func placeSheetOrder(_ offer: String) async throws -> State { try await post("acquirer/v1/orders", ["offer": offer]) }

    /// Begins one attempt to have an order paid.
    func beginSheetPayment(of number: String) async throws -> SheetPayment {
        try await post("acquirer/v1/orders/\(number)/payments", ["way": "cashier"])
    }

    func sheetState(of number: String) async throws -> State { try await post("acquirer/v1/orders/\(number)/state", [:]) }

    /// Takes the payment back as a whole, whatever became of it.
    func cancelSheetPayment(of number: String) async throws -> State { try await post("acquirer/v1/orders/\(number)/cancel", [:]) }

    // MARK: HTTP

    private func post<Answer: Decodable>(_ path: String, _ body: [String: String]) async throws -> Answer {
        var request = URLRequest(url: origin.appendingPathComponent(path), timeoutInterval: 20)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(body)
        let (answer, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else {
            // A server that is ill has decided nothing.
            throw (400..<500).contains(status) ? Refusal(status: status) : URLError(.badServerResponse)
        }
        return try JSONDecoder().decode(Answer.self, from: answer)
    }
}

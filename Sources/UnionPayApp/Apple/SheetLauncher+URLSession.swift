#if canImport(Darwin)
    public import Foundation

    extension SheetLauncher {
        /// Sends over a URL session. `base` is the address of UnionPay's pages, such as `http://127.0.0.1:8082/unionpay/pay`.
        public init(base: URL, session: URLSession = .shared, others: (any PaymentLauncher)? = nil) {
            self.init(connection: { try await session.answer(to: $0, below: base) }, others: others)
        }
    }

    extension URLSession {
        fileprivate func answer(to question: PluginQuestion, below base: URL) async throws -> PluginAnswer {
            guard let url = URL(string: base.absoluteString + question.path) else { throw SheetExchange.Failure.unanswered }
            var outgoing = URLRequest(url: url)
            outgoing.httpMethod = question.method
            outgoing.httpBody = question.body
            if let type = question.contentType { outgoing.setValue(type, forHTTPHeaderField: "Content-Type") }
            let (body, response) = try await data(for: outgoing)
            return PluginAnswer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: body)
        }
    }
#endif

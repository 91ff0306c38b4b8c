#if canImport(Darwin)
    import Foundation

    extension URLSession {
        /// Carries one request to a server whose origin is `base`, without a trailing slash.
        func answer(to question: HTTPQuestion, at base: URL) async throws -> HTTPAnswer {
            guard let url = URL(string: base.absoluteString + question.path) else {
                throw ApplePayAppError(code: .serverUnanswered, reason: "the server's address cannot take \(question.path)")
            }
            var outgoing = URLRequest(url: url)
            outgoing.httpMethod = question.method
            outgoing.httpBody = question.body
            for (name, value) in question.headers { outgoing.setValue(value, forHTTPHeaderField: name) }
            let (body, response) = try await data(for: outgoing)
            return HTTPAnswer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: body)
        }
    }
#endif

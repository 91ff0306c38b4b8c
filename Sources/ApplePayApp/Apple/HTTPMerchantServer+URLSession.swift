#if canImport(Darwin)
    import Foundation

    extension HTTPMerchantServer {
        /// Sends over a URL session. `base` is the merchant server's origin, without a trailing slash.
        public init(base: URL, session: URLSession = .shared) {
            self.init { request in
                guard let url = URL(string: base.absoluteString + request.path) else {
                    throw ApplePayAppError(code: .serverUnanswered, reason: "the server's address cannot take \(request.path)")
                }
                var outgoing = URLRequest(url: url)
                outgoing.httpMethod = request.method
                outgoing.httpBody = request.body
                for (name, value) in request.headers { outgoing.setValue(value, forHTTPHeaderField: name) }
                let (body, response) = try await session.data(for: outgoing)
                return HTTPAnswer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: body)
            }
        }
    }
#endif

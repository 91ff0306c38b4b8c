#if canImport(Darwin)
    public import Foundation

    extension URLSession: OptionTransport {
        public func get(_ address: URL) async throws -> OptionAnswer {
            let (body, response) = try await data(from: address)
            return OptionAnswer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: Array(body))
        }
    }
#endif

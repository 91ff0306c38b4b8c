#if canImport(Darwin)
    public import Foundation

    extension HTTPMerchantServer {
        /// Sends over a URL session. `base` is the merchant server's origin, without a trailing slash.
        public init(base: URL, session: URLSession = .shared) {
            self.init { try await session.answer(to: $0, at: base) }
        }
    }
#endif

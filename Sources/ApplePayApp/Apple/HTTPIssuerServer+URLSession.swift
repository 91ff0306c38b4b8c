#if canImport(Darwin)
    public import BillfoldDiagnosis
    public import Foundation

    extension HTTPIssuerServer {
        /// Sends over a URL session. `base` is the issuer host's origin, without a trailing slash.
        public init(session: Secret<String>, base: URL, over urlSession: URLSession = .shared) {
            self.init(session: session) { try await urlSession.answer(to: $0, at: base) }
        }
    }
#endif

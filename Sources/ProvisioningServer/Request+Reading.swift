import BillfoldServer
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// Certificates are the largest thing that anybody sends here.
    private static let bodyLimit = 65_536

    /// A JSON body, read whole. Refuses with `unsupported-media-type` or `body-too-large`.
    func json() async throws -> [UInt8] {
        try requireMediaType("application/json")
        do {
            return Array(try await body.collect(upTo: Self.bodyLimit).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ServerError(
                code: .bodyTooLarge, reason: "the body has more than \(Self.bodyLimit) bytes", status: .contentTooLarge)
        }
    }

    var bearer: String? {
        guard let header = headers[.authorization], header.utf8.count <= 512, header.lowercased().hasPrefix("bearer ") else { return nil }
        return String(header.dropFirst(7))
    }
}

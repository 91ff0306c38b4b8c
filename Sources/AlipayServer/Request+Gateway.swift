import BillfoldServer
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The largest thing that anybody sends: an order, or a merchant with certificate requests.
    static let gatewayBodyLimit = 262_144

    /// A JSON body, read whole. Refuses with `unsupported-media-type` or `body-too-large`.
    func gatewayJSON() async throws -> [UInt8] {
        try requireMediaType("application/json")
        return try await gatewayBody()
    }

    func gatewayBody() async throws -> [UInt8] {
        do {
            return Array(try await body.collect(upTo: Self.gatewayBodyLimit).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ServerError(
                code: .bodyTooLarge, reason: "the body has more than \(Self.gatewayBodyLimit) bytes", status: .contentTooLarge)
        }
    }

    var gatewayBearer: String? {
        guard let header = headers[.authorization], header.utf8.count <= 512, header.lowercased().hasPrefix("bearer ") else { return nil }
        return String(header.dropFirst(7))
    }
}

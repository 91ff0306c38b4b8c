import BillfoldServer
import Hummingbird

extension Request {
    /// The largest thing that anybody sends: an order, or a merchant with certificate requests.
    static let gatewayBodyLimit = 262_144

    func gatewayJSON() async throws -> [UInt8] { try await json(upTo: Self.gatewayBodyLimit) }
}

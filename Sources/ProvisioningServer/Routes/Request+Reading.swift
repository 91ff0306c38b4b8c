import BillfoldServer
import Hummingbird

extension Request {
    /// A JSON body, read whole. Certificates are the largest thing that anybody sends here.
    func json() async throws -> [UInt8] { try await json(upTo: 65_536) }
}

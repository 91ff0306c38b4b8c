import BillfoldServerTestSupport
import CardPaymentsServer

extension Shop {
    /// Who settles the notices of this shop's server.
    func people() async throws -> TwoPersons { try await TwoPersons(settling: server.notices, in: database, clock: clock) }
}

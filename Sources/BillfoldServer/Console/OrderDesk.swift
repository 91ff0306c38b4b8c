package import BillfoldWeb

/// What the console can show of orders on the pages of their stories: the part of a back office that belongs to the server that keeps them.
package protocol OrderDesk: Sendable {
    /// The order with its payments, refunds and postings as the books hold them now; `nil` where no merchant has an order of
    /// that id.
    func order(_ id: String) async throws -> OrderView?
}

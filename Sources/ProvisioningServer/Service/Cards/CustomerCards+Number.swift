import BillfoldStorage

extension CustomerCards {
    /// The id of a customer's card that an app names by its id or by its whole number, digits alone.
    ///
    /// The number is compared by its hash. Another customer's is as unknown as one that no card has.
    func id(of name: String, _ session: AppSession) async throws -> String {
        let digits = Array(name.utf8)
        let hash = context.vault.hash(ofNumber: digits)
        let isNumber = (13...19).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
        let found = try await context.database.lookup { tx -> String? in
            if let card = try Self.find(name, session, in: tx)?.card { return card.id }
            guard isNumber, let card = try CardRecords.find(numberHash: hash, in: tx), card.customer == session.customer else { return nil }
            return card.id
        }
        guard let found else { throw Self.notFound }
        return found
    }
}

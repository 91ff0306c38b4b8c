import BillfoldPayments
import BillfoldStorage

/// Cards and secure elements that are let in while their programme is being tested.
struct AllowList: Sendable {
    let context: TokenContext

    /// Lists or unlists a card and a secure element; doing so twice is doing so once. Returns false when there is no such card.
    ///
    /// - Parameter secureElement: 48 upper-case hexadecimal digits.
    func set(_ isAllowed: Bool, card: String, secureElement: String, remark: String, by person: String) async throws -> Bool {
        let (context, now) = (context, context.now())
        return try await context.database.writeRepeatably { tx in
            guard try CardRecords.find(card, in: tx) != nil else { return false }
            let isChanged =
                isAllowed
                ? try AllowListRecords.insert(
                    AllowedDevice(card: card, secureElement: secureElement, remark: remark, addedBy: person, addedAt: now), in: tx)
                : try AllowListRecords.remove(card: card, secureElement: secureElement, in: tx)
            if isChanged {
                try context.audit(
                    isAllowed ? "allow-list.add" : "allow-list.remove", on: "card \(card) device \(secureElement)", by: person,
                    because: remark, at: now, in: tx)
            }
            return true
        }
    }
}

// As in TourBooks: read from JSON, as a stranger would, and shared with no writer.

/// One token as one side's books have it.
struct BookedPass: Sendable, Hashable, Decodable, CustomStringConvertible {
    var tokenReference: String
    var primaryAccountIdentifier: String
    var state: String
    var suspendedBy: [String]
    var sequence: Int
    var deviceAccountSuffix: String?
    var secureElement: String?

    var description: String {
        "\(tokenReference) \(state) \(suspendedBy) at \(sequence), \(primaryAccountIdentifier) in \(secureElement ?? "nowhere")"
    }

    /// With secure elements in one spelling and suspenders in one order.
    var plain: BookedPass {
        var pass = self
        pass.secureElement = secureElement?.lowercased()
        pass.suspendedBy.sort()
        return pass
    }
}

struct PassBooks: Sendable, Decodable {
    var tokens: [BookedPass]

    /// Every difference, in words; empty where both have the same tokens in the same state.
    static func differences(bank: PassBooks, network: PassBooks) -> [String] {
        let (ours, theirs) = (Set(bank.tokens.map(\.plain)), Set(network.tokens.map(\.plain)))
        return ours.subtracting(theirs).map { "the bank alone has \($0)" }.sorted()
            + theirs.subtracting(ours).map { "the network alone has \($0)" }.sorted()
    }
}

extension ProvisioningTourSteps {
    /// What the console tells of one attempt.
    struct Story: Decodable {
        struct Entry: Decodable {
            struct Field: Decodable {
                var name: String
                var value: String
            }
            var from: String
            var to: String
            var title: String
            var fields: [Field]
            var problem: String?

            subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
        }
        var entries: [Entry]

        /// What went wrong first.
        var refusal: String? {
            entries.lazy.compactMap { entry in entry.problem.map { "\(entry.title) of \(entry.from) to \(entry.to): \($0)" } }.first
        }
    }
}

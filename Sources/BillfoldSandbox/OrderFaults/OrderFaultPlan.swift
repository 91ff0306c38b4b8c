import Foundation

/// What goes wrong with one order, as it is kept.
struct OrderFaultPlan: PartyDocument {
    static let kind = "order-fault"
    /// The order that is not known yet.
    static let next = "next"

    var id: String
    var journey: FaultJourney
    /// The caller's own name of it, or ``next``.
    var order: String
    /// Whose order it is; nil for whoever has one of that name.
    var owner: String?
    /// Those of one moment befall its messages one after the other.
    var faults: [OrderFault]
    var times: Int
    var delayMilliseconds: Int
    /// How many messages were befallen, by moment. A result is one, however often it is asked for.
    var met: [String: Int] = [:]
    /// Other names of the same order, learnt from what was answered about it.
    var aliases: [String] = []

    /// Whether an owner can have that name: 1 to 64 characters, counted as JSON Schema counts them.
    static func isOwner(_ name: String) -> Bool { (1...64).contains(name.unicodeScalars.count) }

    static func id(_ journey: FaultJourney, _ order: String, owner: String?) -> String { "\(journey.rawValue) \(order) \(owner ?? "")" }

    /// Whether the plan is about what a message names.
    func isAbout(_ message: MessageNames) -> Bool {
        guard order != Self.next, mayBe(message) else { return false }
        let named = Set(message.values(of: journey.names).map { Array($0.utf8) })
        return named.contains(Array(order.utf8)) || aliases.contains { named.contains(Array($0.utf8)) }
    }

    /// Whether nothing says that the message is somebody else's. Most messages do not say whose they are.
    func mayBe(_ message: MessageNames) -> Bool {
        let told = message.values(of: journey.owners)
        guard let owner, !told.isEmpty else { return true }
        let known = Set(([owner] + aliases).map { Array($0.utf8) })
        return told.contains { known.contains(Array($0.utf8)) }
    }

    /// The fault that befalls the next message of this moment.
    func fault(at moment: OrderFault.Moment) -> OrderFault? {
        let all = faults.filter { $0.moment == moment }
        // What the app hears does not change from one look to the next.
        guard moment != .result else { return all.first }
        let turn = (met[moment.rawValue] ?? 0) / times
        return turn < all.count ? all[turn] : nil
    }
}

/// A plan as a caller sets it. Every key may be left out; an unknown key is refused, so that a misspelt fault is not taken for none.
struct OrderFaultWish: Codable, Sendable {
    var faults: [OrderFault] = []
    var times = 1
    var delayMilliseconds = 2_000
    var owner: String?

    private enum CodingKeys: String, CodingKey, CaseIterable { case faults, times, delayMilliseconds, owner }

    init(_ plan: OrderFaultPlan) {
        (faults, times, delayMilliseconds) = (plan.faults, plan.times, plan.delayMilliseconds)
        // The key's own holder has no use for its hash.
        owner = plan.journey.owners == [MessageNames.keyName] ? nil : plan.owner
    }

    init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a plan")
        let container = try decoder.container(keyedBy: CodingKeys.self)
        faults = try container.decodeIfPresent([OrderFault].self, forKey: .faults) ?? []
        times = try container.decodeIfPresent(Int.self, forKey: .times) ?? 1
        delayMilliseconds = try container.decodeIfPresent(Int.self, forKey: .delayMilliseconds) ?? 2_000
        owner = try container.decodeIfPresent(String.self, forKey: .owner)
        guard faults.count <= 20, (1...1_000).contains(times), (0...30_000).contains(delayMilliseconds),
            owner.map(OrderFaultPlan.isOwner) ?? true
        else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "a plan has 20 faults, 1 to 1000 times and 30000 milliseconds at most, and an owner of 1 to 64 characters"
                ))
        }
        guard faults.count(where: { $0.moment == .result }) <= 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an order's app is told one result"))
        }
    }
}

import BillfoldStorage
import BillfoldTrace
import Synchronization

/// The plans of orders, in memory and in the store that they are read back from. A plan is used up before the message that it befalls goes
/// on; where the store cannot keep that, it befalls one more message after the next start.
final class OrderFaultBook: Sendable {
    private static let (mostPlans, mostAliases) = (1_000, 64)

    private let held = Mutex<[String: OrderFaultPlan]>([:])
    private let database: any Database
    private let reporter: PartyReporter

    init(_ surroundings: PartySurroundings) async throws {
        (database, reporter) = (surroundings.database, surroundings.reporter)
        let plans = try await database.read { try PartyRecords.all(OrderFaultPlan.self, in: $0) }
        held.withLock { held in for plan in plans { held[plan.id] = plan } }
    }

    /// Whether no message needs a look.
    var isEmpty: Bool { held.withLock(\.isEmpty) }

    // MARK: Setting

    /// Sets a plan in place of an earlier one of the same order; one without faults takes it away.
    func set(_ plan: OrderFaultPlan) async throws {
        let isTaken = held.withLock { held in
            guard !plan.faults.isEmpty else {
                held[plan.id] = nil
                return true
            }
            guard held[plan.id] != nil || held.count < Self.mostPlans else { return false }
            held[plan.id] = plan
            return true
        }
        guard isTaken else {
            throw SandboxRefusal(code: "too-many-plans", reason: "\(Self.mostPlans) orders have plans: take some away", status: 429)
        }
        try await keep(plan.id)
    }

    func find(_ journey: FaultJourney, _ order: String, owner: String?) -> OrderFaultPlan? {
        held.withLock { $0[OrderFaultPlan.id(journey, order, owner: owner)] }
    }

    /// Whoever shows a key sees his own plans, whoever shows none sees those of nobody in particular and those of named owners.
    func all(holder: String?) -> [OrderFaultPlan] {
        held.withLock { held in
            held.values.filter { plan in
                plan.journey.owners == [MessageNames.keyName] ? plan.owner.map { $0 == holder } ?? (holder == nil) : true
            }.sorted { $0.id < $1.id }
        }
    }

    private func keep(_ id: String) async throws {
        let plan = held.withLock { $0[id] }
        try await database.write { tx in
            guard let plan else { return try PartyRecords.remove(OrderFaultPlan.self, id, in: tx) }
            try PartyRecords.put(plan, in: tx)
        }
    }

    // MARK: Messages

    /// Makes the plan for the next order that of the order which this message begins.
    func begin(_ journey: FaultJourney, _ message: MessageNames) async {
        guard let name = message.values(of: journey.names).first(where: Self.isName) else { return }
        let moved = held.withLock { held -> [String] in
            guard !held.values.contains(where: { $0.journey == journey && $0.isAbout(message) }) else { return [] }
            let waiting = held.values.filter { $0.journey == journey && $0.order == OrderFaultPlan.next && $0.mayBe(message) }
            // One that names its owner goes before one for whoever comes.
            guard var plan = waiting.max(by: { $0.owner == nil && $1.owner != nil }) else { return [] }
            let old = plan.id
            held[old] = nil
            (plan.order, plan.id) = (name, OrderFaultPlan.id(journey, name, owner: plan.owner))
            held[plan.id] = plan
            return [old, plan.id]
        }
        for id in moved { try? await keep(id) }
    }

    /// Takes what befalls the message that is here now, and says so in the order's story.
    func claim(_ moment: OrderFault.Moment, of journey: FaultJourney, _ message: MessageNames) async -> (
        fault: OrderFault, delay: Duration
    )? {
        let claimed = held.withLock { held -> (plan: OrderFaultPlan, fault: OrderFault, isNew: Bool)? in
            let plans = held.values.filter { $0.journey == journey && $0.isAbout(message) }
            guard var plan = plans.first(where: { $0.owner != nil }) ?? plans.first, let fault = plan.fault(at: moment) else { return nil }
            // An app asks for its one result again and again.
            let isNew = moment != .result || plan.met[moment.rawValue] == nil
            if isNew { plan.met[moment.rawValue, default: 0] += 1 }
            held[plan.id] = plan
            return (plan, fault, isNew)
        }
        guard let claimed else { return nil }
        if claimed.isNew {
            reporter.report(
                .note, from: .faults, to: .faults, "fault plan", correlation: [journey.correlation: claimed.plan.order],
                problem: claimed.fault.rawValue)
            try? await keep(claimed.plan.id)
        }
        return (claimed.fault, .milliseconds(claimed.plan.delayMilliseconds))
    }

    /// The code that the app of the message's order is told of a success; nil for the true one.
    func toldCode(_ journey: FaultJourney, _ message: MessageNames) -> String? {
        held.withLock { held in
            let plans = held.values.filter { $0.journey == journey && $0.isAbout(message) }
            return (plans.first { $0.owner != nil } ?? plans.first)?.fault(at: .result)?.toldCode
        }
    }

    /// Whether a plan is about the message.
    func knows(_ journey: FaultJourney, _ message: MessageNames) -> Bool {
        held.withLock { held in held.values.contains { $0.journey == journey && $0.isAbout(message) } }
    }

    /// What was answered about an order names it too.
    func learn(_ journey: FaultJourney, _ message: MessageNames, answered: MessageNames) async {
        // An app asks about its order by the secret that it was given, a bank's customer by a session.
        let secrets = journey.owners == [MessageNames.keyName] ? answered["clientSecret"] + answered["token"] : []
        let names = answered.values(of: journey.names).filter(Self.isName) + secrets.map(PartyCredentials.hash)
        guard !names.isEmpty else { return }
        let changed = held.withLock { held -> [String] in
            var changed: [String] = []
            for (id, var plan) in held where plan.journey == journey && plan.isAbout(message) {
                for name in names where name != plan.order && !plan.aliases.contains(name) && plan.aliases.count < Self.mostAliases {
                    plan.aliases.append(name)
                    changed.append(id)
                }
                held[id] = plan
            }
            return changed
        }
        for id in Set(changed) { try? await keep(id) }
    }

    private static func isName(_ text: String) -> Bool { (1...128).contains(text.utf8.count) }
}

extension Party {
    /// What stands on the way between our servers and others, where a plan of faults does.
    static let faults: Party = "fault-plan"
}

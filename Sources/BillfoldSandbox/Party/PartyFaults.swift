import BillfoldStorage
import Hummingbird

/// A party's fault plan: which fault befalls which kind of message.
struct PartyFaults: Sendable {
    /// One plan as it is kept: the operation's name is its id.
    private struct Plan: PartyDocument {
        static let kind = "fault"
        var id: String
        var fault: PartyFault
        /// How many messages the plan has met.
        var met = 0
    }

    let database: any Database
    /// The kinds of message that the party takes or sends.
    let operations: [String]

    /// What befalls the message that is here now; used up where the plan says so.
    func claim(_ operation: String) async throws -> PartyFault? {
        guard try await database.lookup({ try PartyRecords.find(Plan.self, operation, in: $0) }) != nil else { return nil }
        return try await database.write { transaction in
            guard var plan = try PartyRecords.find(Plan.self, operation, in: transaction) else { return nil }
            plan.met += 1
            if plan.fault.seed == nil, plan.met >= plan.fault.times {
                try PartyRecords.remove(Plan.self, operation, in: transaction)
            } else {
                try PartyRecords.put(plan, in: transaction)
            }
            guard let seed = plan.fault.seed else { return plan.fault }
            return PartyFault.drawn(seed: seed, operation: operation, number: plan.met)
        }
    }

    /// `PUT`, `GET` and `DELETE faults/{operation}`, and `GET faults`: every plan that is set.
    func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("faults") { _, _ in
            let plans = try await database.read { try PartyRecords.all(Plan.self, in: $0) }
            let set = Dictionary(plans.map { ($0.id, $0.fault) }, uniquingKeysWith: { $1 })
            return try SandboxBody.json(Listing(operations: operations, faults: set))
        }
        router.put("faults/{operation}") { request, context in
            let plan = Plan(id: try operation(context), fault: try await SandboxBody.decode(PartyFault.self, from: request))
            try await database.write { try PartyRecords.put(plan, in: $0) }
            return Response(status: .noContent)
        }
        router.get("faults/{operation}") { _, context in
            let operation = try operation(context)
            guard let plan = try await database.read({ try PartyRecords.find(Plan.self, operation, in: $0) }) else {
                throw SandboxRefusal(code: "not-found", reason: "no fault is set for \(operation)", status: 404)
            }
            return try SandboxBody.json(plan.fault)
        }
        router.delete("faults/{operation}") { _, context in
            let operation = try operation(context)
            try await database.write { try PartyRecords.remove(Plan.self, operation, in: $0) }
            return Response(status: .noContent)
        }
    }

    private struct Listing: Encodable {
        var operations: [String]
        var faults: [String: PartyFault]
    }

    private func operation(_ context: some RequestContext) throws -> String {
        let name = context.parameters.get("operation") ?? ""
        guard operations.contains(name) else {
            throw SandboxRefusal(
                code: "not-found", reason: "the party's messages are \(operations.joined(separator: ", "))", status: 404)
        }
        return name
    }
}

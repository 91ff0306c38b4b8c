import Hummingbird

/// `/faults/orders`, the plans of somebody's own orders. A caller who shows an API key sets and sees his own orders' plans alone, in the
/// journeys whose programs show keys; in the others a plan names its owner, an application or a client, where two may have the same
/// order's name.
struct OrderFaultRoutes: Sendable {
    let book: OrderFaultBook
    let keys: ProgramKeys

    private struct Told: Encodable {
        var journey: String
        var order: String
        var owner: String?
        var faults: [OrderFault]
        var times: Int
        var delayMilliseconds: Int
        /// How many messages were befallen, by what they are.
        var met: [String: Int]

        init(_ plan: OrderFaultPlan) {
            let wish = OrderFaultWish(plan)
            (journey, order, owner) = (plan.journey.rawValue, plan.order, wish.owner)
            (faults, times, delayMilliseconds, met) = (wish.faults, wish.times, wish.delayMilliseconds, plan.met)
        }
    }

    private struct Listing: Encodable {
        /// What can go wrong, by journey.
        var journeys: [String: [OrderFault]]
        var plans: [Told]
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let plans = router.group("/faults/orders").add(middleware: SandboxErrors())
        plans.get("") { request, _ in
            try await keys.check(request)
            let journeys = Dictionary(uniqueKeysWithValues: FaultJourney.allCases.map { ($0.rawValue, $0.faults) })
            return try SandboxBody.json(Listing(journeys: journeys, plans: book.all(holder: Self.holder(request)).map(Told.init)))
        }
        plans.put("{journey}/{order}") { request, context in
            let (journey, order) = try Self.place(context)
            try await keys.check(request, for: [journey])
            let wish = try await SandboxBody.decode(OrderFaultWish.self, from: request)
            if let strange = wish.faults.first(where: { !journey.faults.contains($0) }) {
                throw SandboxRefusal(
                    code: "fault-not-here", reason: "\(strange.rawValue) is no fault of \(journey.rawValue)", status: 400)
            }
            let owner = Self.owner(request, journey) ?? wish.owner
            try await book.set(
                OrderFaultPlan(
                    id: OrderFaultPlan.id(journey, order, owner: owner), journey: journey, order: order, owner: owner,
                    faults: wish.faults, times: wish.times, delayMilliseconds: wish.delayMilliseconds))
            return Response(status: .noContent)
        }
        plans.get("{journey}/{order}") { request, context in
            guard let plan = try await find(request, context) else { throw Self.none }
            return try SandboxBody.json(Told(plan))
        }
        plans.delete("{journey}/{order}") { request, context in
            guard var plan = try await find(request, context) else { throw Self.none }
            plan.faults = []
            try await book.set(plan)
            return Response(status: .noContent)
        }
    }

    private static let none = SandboxRefusal(code: "not-found", reason: "no plan is set for that order", status: 404)

    /// The plan of a place, by the caller's key or by the parameter `owner`.
    private func find(_ request: Request, _ context: some RequestContext) async throws -> OrderFaultPlan? {
        let (journey, order) = try Self.place(context)
        try await keys.check(request, for: [journey])
        let named = request.uri.queryParameters["owner"].map(String.init)
        if let named, !OrderFaultPlan.isOwner(named) {
            throw SandboxRefusal(code: "owner-malformed", reason: "an owner has 1 to 64 characters", status: 400)
        }
        return book.find(journey, order, owner: Self.owner(request, journey) ?? named)
    }

    private static func owner(_ request: Request, _ journey: FaultJourney) -> String? {
        journey.owners == [MessageNames.keyName] ? holder(request) : nil
    }

    /// A hash of the key that the caller shows.
    private static func holder(_ request: Request) -> String? {
        MessageNames(headers: request.headers.map { ($0.name.rawName, $0.value) })[MessageNames.keyName].first
    }

    private static func place(_ context: some RequestContext) throws -> (FaultJourney, String) {
        guard let journey = context.parameters.get("journey").flatMap(FaultJourney.init(rawValue:)) else {
            let known = FaultJourney.allCases.map(\.rawValue).joined(separator: ", ")
            throw SandboxRefusal(code: "no-such-journey", reason: "a journey is one of \(known)", status: 404)
        }
        guard let order = context.parameters.get("order"), (1...64).contains(order.utf8.count), !order.hasPrefix("."),
            order.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
        else {
            throw SandboxRefusal(
                code: "order-malformed",
                reason: "an order is named by 1 to 64 letters, digits, '-', '_' and '.', as its own program names it, and not by '.' first",
                status: 400)
        }
        return (journey, order)
    }
}

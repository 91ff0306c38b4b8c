import BillfoldDiagnosis
import BillfoldServer
import BillfoldStorage
import BillfoldWeb
import Foundation
import ServiceLifecycle

/// The console: stories, operators, approvals, fault plans.
enum ConsolePart {
    /// - Parameters:
    ///   - process: What the servers of this process are given.
    ///   - shares: What the servers of this process bring. Without one that keeps the main store, and without `--database`, the console
    ///     knows stories and no books.
    static func make(
        _ shared: ServeComposition.Shared, in process: ServingProcess, beside shares: [ConsoleShare]
    ) async throws -> (listener: Listener, workers: [any Service], mainStore: (any Database)?) {
        guard let store = shared.trace.store else {
            throw CommandFailure(.ourFault, code: "internal", reason: "the console has no stories")
        }
        let (options, configuration) = (shared.options, process.configuration)
        var console = Console(store: store, pages: pages(of: process, options.capabilities), assets: try PageSet.common.assets)
        console.doctor = { [now = process.dates, kinds = options.capabilities.map { type(of: $0) }] artifacts, budget in
            Diagnosis(of: artifacts, by: Capabilities.diagnosticians(of: kinds, DoctorAids(instant: now())), within: budget)
        }
        if process.mode == .test {
            console.guides = try options.capabilities.flatMap { try $0.guides(in: process) }
            console.faultPlans = options.capabilities.map { type(of: $0) }.flatMap { kind in
                kind.faults.map {
                    FaultPlanRoutes($0.menu, of: $0.journey, at: process.addresses[kind.role].origin, sender: process.sender)
                }
            }
        }
        var workers: [any Service] = []
        var shown = shares
        var database = shares.lazy.compactMap(\.mainStore).first
        if database == nil, process.mainStore != nil || configuration.signIn == .always || !shares.isEmpty {
            let opened = try await process.openMainStore(Capabilities.mainStore)
            // Before the others: the trails begin with the installation and its merchants.
            shown =
                try options.capabilities.filter { !process.runs(type(of: $0).role) }.compactMap {
                    try $0.share(of: process, readFrom: opened)
                } + shares
            database = opened
        }
        console.desks = shown.flatMap(\.desks)
        console.notices = shown.flatMap(\.notices)
        console.events = shown.flatMap(\.events)
        if let database {
            let audit = try process.folder.operatorAudit()
            var trails = AuditTrails(database: database, links: try process.folder.auditChain(), owners: [audit.owner])
            for chains in shown.compactMap(\.chains) { trails.add(chains.database, owners: chains.owners) }
            console.trails = trails
            if !shares.isEmpty {
                let approvals = try approvals(process, of: shares, database: database, audit: audit)
                console.approvals = approvals
                workers.append(approvals)
            }
            if configuration.signIn != .never { console.directory = try await operators(of: process, in: database, audit: audit) }
        }
        let router = try console.router(configuration, surroundings: process.surroundings)
        return (Listener(configuration.consoleListener, router: router, logger: process.surroundings.logger), workers, database)
    }

    /// The pages, with links to the sandbox's parties in test mode.
    private static func pages(of process: ServingProcess, _ capabilities: [any Capability]) -> WebConsolePages {
        let kinds = capabilities.map { type(of: $0) }
        let journeys = Journeys(kinds.compactMap { $0.journey })
        guard process.mode == .test else { return WebConsolePages(journeys: journeys) }
        return WebConsolePages(
            journeys: journeys,
            starts: kinds.compactMap { kind in
                kind.start.map { start in
                    JourneyStart(
                        journey: start.journey, address: process.addresses[kind.role].pages + start.path, invitation: start.invitation)
                }
            })
    }

    /// What takes a second person, of all servers of the process.
    private static func approvals(
        _ process: ServingProcess, of shares: [ConsoleShare], database: any Database, audit: ChainedOperatorAudit
    ) throws -> ApprovalQueue {
        var actions: [String: ApprovalAction] = [:]
        for more in shares.map(\.actions) + shares.flatMap(\.notices).map(\.actions) { actions.merge(more) { known, _ in known } }
        let configuration = process.configuration
        return try ApprovalQueue(
            database: database, clock: process.surroundings.clock, random: SystemRandomness.source, audit: audit, mode: configuration.mode,
            policy: configuration.signIn == .never ? .onePerson : .twoPersons, actions: actions, logger: process.surroundings.logger)
    }

    /// Who signs in. A console where everybody has to does not start before there is somebody who can.
    private static func operators(
        of process: ServingProcess, in database: any Database, audit: ChainedOperatorAudit
    ) async throws -> OperatorDirectory {
        let directory = try OperatorDirectory(
            database: database, clock: process.surroundings.clock, uptime: process.surroundings.uptime, random: SystemRandomness.source,
            audit: audit)
        if process.configuration.signIn == .always, try await directory.isEmpty() {
            throw CommandFailure.invalid("a console where everybody signs in needs operators: billfold operators add")
        }
        return directory
    }
}

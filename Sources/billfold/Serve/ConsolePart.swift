import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb
import CardPaymentsServer
import Foundation
import UnionPay

/// The console: stories, operators, approvals, fault plans.
enum ConsolePart {
    /// - Parameter parts: The servers of this process. Without one of orders, and without `--database`, the console knows stories and no books.
    static func make(
        _ shared: ServeComposition.Shared, beside parts: [ServeComposition.Part]
    ) async throws -> ServeComposition.Part {
        guard let store = shared.trace.store else {
            throw CommandFailure(.ourFault, code: "internal", reason: "the console has no stories")
        }
        let options = shared.options
        var part = ServeComposition.Part()
        var console = Console(store: store, pages: WebConsolePages(), assets: try PageSet.common.assets)
        let now = SandboxPart.dates(shared)
        console.doctor = { artifacts, budget in
            let keys = DiagnosticKeys(sm3: OpenSSLShangMi(), pkcs12: OpenSSLPKCS12(), recovery: OpenSSLRecovery())
            return Diagnosis(of: artifacts, by: DoctorCommand.diagnosticians(at: now(), unionPay: keys), within: budget)
        }
        if options.configuration.mode == .test {
            console.faultPlans = FaultPlanRoutes(sender: shared.sender, sandbox: options.addresses.unionPay)
        }
        let (orders, shares) = (parts.lazy.compactMap(\.orders).first, parts.compactMap(\.console))
        console.desks = shares.flatMap(\.desks)
        console.notices = shares.flatMap(\.notices)
        var database = orders?.database
        if database == nil, options.database != nil || options.configuration.signIn == .always || !shares.isEmpty {
            let opened = try await StoreOpening.open(
                options.database, folder: shared.folder, mode: options.configuration.mode,
                kind: .cards, clock: shared.surroundings.clock, logger: shared.surroundings.logger)
            part.closing.append { try await opened.close() }
            database = opened
        }
        if let database {
            let links = try shared.folder.auditChain()
            var office = orders?.office
            if office == nil, options.merchants != nil || options.configuration.mode == .test {
                let merchants = try MerchantInstallation(shared).file.merchants.map(\.id)
                office = CardPaymentsBackOffice(
                    database: database, merchants: merchants, clock: shared.surroundings.clock, links: links)
            }
            if let office {
                console.desk = office
                console.desks.append(office)
            }
            let audit = try shared.folder.operatorAudit()
            var trails = AuditTrails(database: database, links: links, owners: [audit.owner] + (office?.merchants ?? []))
            for chains in shares.compactMap(\.chains) { trails.add(chains.database, owners: chains.owners) }
            console.trails = trails
            if !shares.isEmpty {
                let approvals = try approvals(shared, of: shares, database: database, audit: audit)
                console.approvals = approvals
                part.workers.append(approvals)
            }
            if options.configuration.signIn != .never { console.directory = try await operators(shared, database, audit) }
        }
        let isTest = options.configuration.mode == .test
        console.pages = WebConsolePages(
            shopAddress: isTest ? options.addresses.shop + "/shop" : nil,
            bankAddress: isTest ? options.addresses.bankApp + "/bank" : nil,
            expressAddress: isTest ? options.addresses.alipayMerchant + "/alipay-shop/" : nil,
            sheetAddress: isTest ? options.addresses.acquirerPages + "/plus-shop/" : nil,
            superAppAddress: isTest ? options.addresses.superApp + "/super-app/" : nil)
        let router = try console.router(options.configuration, surroundings: shared.surroundings)
        part.listeners = [Listener(options.configuration.consoleListener, router: router, logger: shared.surroundings.logger)]
        return part
    }

    /// What takes a second person, of all servers of the process.
    private static func approvals(
        _ shared: ServeComposition.Shared, of shares: [ServeComposition.ConsoleShare], database: any Database, audit: ChainedOperatorAudit
    ) throws -> ApprovalQueue {
        var actions: [String: ApprovalAction] = [:]
        for more in shares.map(\.actions) + shares.flatMap(\.notices).map(\.actions) { actions.merge(more) { known, _ in known } }
        let configuration = shared.options.configuration
        return try ApprovalQueue(
            database: database, clock: shared.surroundings.clock, random: SystemRandomness.source, audit: audit, mode: configuration.mode,
            policy: configuration.signIn == .never ? .onePerson : .twoPersons, actions: actions, logger: shared.surroundings.logger)
    }

    /// Who signs in. A console where everybody has to does not start before there is somebody who can.
    private static func operators(
        _ shared: ServeComposition.Shared, _ database: any Database, _ audit: ChainedOperatorAudit
    ) async throws -> OperatorDirectory {
        let directory = try OperatorDirectory(
            database: database, clock: shared.surroundings.clock, uptime: shared.surroundings.uptime, random: SystemRandomness.source,
            audit: audit)
        if shared.options.configuration.signIn == .always, try await directory.isEmpty() {
            throw CommandFailure(
                .usage, code: "configuration-invalid", reason: "a console where everybody signs in needs operators: billfold operators add")
        }
        return directory
    }
}

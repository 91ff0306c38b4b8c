import AlipayPlusServer
import AlipayServer
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb
import CardPaymentsServer
import Foundation
import ProvisioningServer
import UnionPay
import WalletServer

/// The console: stories, operators, approvals, fault plans.
enum ConsolePart {
    /// - Parameter merchant: The card-payments server of this process. Without one, and without `--database`, the console knows
    ///   stories and no books.
    /// - Parameter issuer: The issuer's host of this process, whose back office the console shows.
    /// - Parameter wallet: The wallet of this process, whose accounts approved actions change.
    /// - Parameter gateway: The order gateway of this process, likewise.
    /// - Parameter alipayPlus: The acquiring gateway of this process, likewise.
    static func make(
        _ shared: ServeComposition.Shared, merchant: (database: any Database, server: CardPaymentsServer)?,
        issuer: (database: any Database, server: ProvisioningServer)?, wallet: (database: any Database, server: WalletServer)?,
        gateway: AlipayServer?, alipayPlus: AlipayPlusServer?
    ) async throws -> ServeComposition.Part {
        guard let store = shared.trace.store else {
            throw CommandFailure(.ourFault, code: "internal", reason: "the console has no stories")
        }
        let options = shared.options
        var part = ServeComposition.Part()
        let assets = try WebAssets.all().mapValues { ConsoleAsset(contentType: $0.contentType, bytes: $0.bytes) }
        var console = Console(
            store: store, pages: WebConsolePages(), assets: ConsoleAssets(assets))
        let now = SandboxPart.dates(shared)
        console.doctor = { artifacts, budget in
            let keys = DiagnosticKeys(sm3: OpenSSLShangMi(), pkcs12: OpenSSLPKCS12(), recovery: OpenSSLRecovery())
            return Diagnosis(of: artifacts, by: DoctorCommand.diagnosticians(at: now(), unionPay: keys), within: budget)
        }
        if options.configuration.mode == .test {
            console.faultPlans = FaultPlanRoutes(sender: shared.sender, sandbox: options.addresses.unionPay)
        }
        var database = merchant?.database
        console.provisioning = issuer?.server.desk
        console.gateway = gateway?.backOffice
        console.wallet = wallet?.server.backOffice
        console.miniPrograms = wallet?.server.backOffice.miniPrograms
        console.acquiring = alipayPlus?.backOffice
        let notices = [
            merchant?.server.notices, issuer?.server.tokens?.notices, wallet?.server.notices, gateway?.notices, alipayPlus?.notices,
        ].compactMap(\.self)
        console.notices = notices
        if database == nil,
            options.database != nil || options.configuration.signIn == .always || issuer != nil || wallet != nil || gateway != nil
                || alipayPlus != nil
        {
            let opened = try await StoreOpening.open(
                options.database, folder: shared.folder, mode: options.configuration.mode,
                kind: .cards, clock: shared.surroundings.clock, logger: shared.surroundings.logger)
            part.closing.append { try await opened.close() }
            database = opened
        }
        if let database {
            let links = try shared.folder.auditChain()
            var office = merchant?.server.backOffice
            if office == nil, options.merchants != nil || options.configuration.mode == .test {
                let merchants = try MerchantInstallation(shared).file.merchants.map(\.id)
                office = CardPaymentsBackOffice(
                    database: database, merchants: merchants, clock: shared.surroundings.clock, links: links)
            }
            console.desk = office
            let audit = try shared.folder.operatorAudit()
            var trails = AuditTrails(database: database, links: links, owners: [audit.owner] + (office?.merchants ?? []))
            if let issuer { trails.add(issuer.database, owners: [issuer.server.issuer]) }
            if let wallet { trails.add(wallet.database, owners: [wallet.server.owner]) }
            console.trails = trails
            if merchant != nil || issuer != nil || wallet != nil || gateway != nil || alipayPlus != nil {
                var actions = issuer?.server.tokens?.actions.all ?? [:]
                actions.merge(wallet?.server.actions.all ?? [:]) { known, _ in known }
                actions.merge(gateway?.actions.all ?? [:]) { known, _ in known }
                actions.merge(alipayPlus?.actions.all ?? [:]) { known, _ in known }
                if let merchant { actions.merge(CardPaymentsActions(server: merchant.server, links: links).all) { known, _ in known } }
                for office in notices { actions.merge(office.actions) { known, _ in known } }
                let approvals = try ApprovalQueue(
                    database: database, clock: shared.surroundings.clock, random: SystemRandomness.source, audit: audit,
                    mode: options.configuration.mode, policy: options.configuration.signIn == .never ? .onePerson : .twoPersons,
                    actions: actions, logger: shared.surroundings.logger)
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
            superAppAddress: isTest ? options.addresses.superApp + "/super-app/" : nil, sections: console.sections)
        let router = try console.router(options.configuration, surroundings: shared.surroundings)
        part.listeners = [Listener(options.configuration.consoleListener, router: router, logger: shared.surroundings.logger)]
        return part
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

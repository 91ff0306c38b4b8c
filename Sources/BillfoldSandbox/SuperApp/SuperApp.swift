package import Foundation
package import Hummingbird

/// The super app of the journey "run mini programs", put together: its app on phones in software.
package struct SuperApp: Sendable {
    /// Where the other parties are, and how the app is built.
    package struct Configuration: Sendable {
        /// The wallet's origin: the super app's own server, as app and browser reach it.
        package var wallet: String
        /// Where browsers find the phones: an origin that no mini program's page shares.
        package var phone: String
        /// The origins whose pages HTML5 mini programs may show.
        package var pages: [String]
        /// The console's origin; nil without one.
        package var console: String?
        /// Of links that open mini programs, and the host in printed codes: the wallet's.
        package var linkScheme: String
        package var codeHost: String
        /// Who can be signed in as, for demonstration.
        package var people: [SuperAppScreen.Person]
        /// Where the device keeps mini programs and their values.
        package var folder: URL
        /// What runs scripts in processes of their own; nil runs them in this one.
        package var worker: URL?
        /// Runs no script outside of a sandbox that is sufficient.
        package var requiresWorkerSandbox: Bool

        package init(
            wallet: String, phone: String, pages: [String], console: String?, linkScheme: String, codeHost: String,
            people: [SuperAppScreen.Person], folder: URL, worker: URL?, requiresWorkerSandbox: Bool = false
        ) {
            self.wallet = wallet
            self.phone = phone
            self.pages = pages
            self.console = console
            self.linkScheme = linkScheme
            self.codeHost = codeHost
            self.people = people
            self.folder = folder
            self.worker = worker
            self.requiresWorkerSandbox = requiresWorkerSandbox
        }
    }

    package let phones: SuperAppPhones
    package let routes: SuperAppRoutes

    /// - Parameters:
    ///   - configuration: Where everything is.
    ///   - network: The phones' way to the wallet and to mini programs' servers.
    ///   - reporter: Where messages are told.
    ///   - random: For scripts' `Math.random`.
    package init(
        _ configuration: Configuration, network: any PhoneNetwork, reporter: PartyReporter, random: @escaping @Sendable () -> UInt64
    ) async {
        let console = configuration.console
        phones = await SuperAppPhones(
            surroundings: SuperAppSurroundings(
                wallet: configuration.wallet,
                network: network, reporter: reporter, people: configuration.people, linkScheme: configuration.linkScheme,
                codeHost: configuration.codeHost, folder: configuration.folder, worker: configuration.worker,
                requiresWorkerSandbox: configuration.requiresWorkerSandbox, random: random,
                story: { run in console.map { "\($0)/stories/\(Correlation.run):\(run)" } }))
        routes = SuperAppRoutes(
            phones: phones, pages: SuperAppPages(console: console, codeHost: configuration.codeHost), origin: configuration.phone,
            framed: configuration.pages)
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) { routes.addRoutes(to: router) }
}

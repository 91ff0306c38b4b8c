package import BillfoldDiagnosis
import HTTPTypes

/// What a process serves, read once from flags and the environment by the program that composes it.
package struct ServerConfiguration: Sendable {
    package var mode: ServerMode
    package var roles: Set<ServerRole>
    /// The public API.
    package var publicListener: ListenerConfiguration
    /// The console and back offices.
    package var consoleListener: ListenerConfiguration
    /// Whether something in front of the console ends TLS. Without it, a console beyond loopback needs a certificate of its own. Whoever
    /// comes through it comes from anywhere, so that everybody signs in.
    package var consoleIsBehindTLS: Bool
    /// Whether persons are told apart in test mode on loopback too.
    package var asksForSignIn: Bool
    /// What other processes present to `POST /trace`; without one nobody reports from another process, but in test mode on loopback.
    package var traceToken: Secret<String>?
    /// What a program presents that reads `/metrics` without signing in.
    package var metricsToken: Secret<String>?

    package init(
        mode: ServerMode = .test, roles: Set<ServerRole> = [.console],
        publicListener: ListenerConfiguration = .init(name: "public", address: .init(port: 8080)),
        consoleListener: ListenerConfiguration = .init(name: "console", address: .init(port: 8081)), consoleIsBehindTLS: Bool = false,
        asksForSignIn: Bool = false, traceToken: Secret<String>? = nil, metricsToken: Secret<String>? = nil
    ) {
        self.mode = mode
        self.roles = roles
        self.publicListener = publicListener
        self.consoleListener = consoleListener
        self.consoleIsBehindTLS = consoleIsBehindTLS
        self.asksForSignIn = asksForSignIn
        self.traceToken = traceToken
        self.metricsToken = metricsToken
    }

    /// Who has to sign in at the console.
    package enum SignIn: Sendable, Hashable {
        /// Nobody: test mode on loopback, where whoever can connect owns the machine's account.
        case never
        /// Whoever does more than look: in test mode on loopback where two persons shall be told apart.
        case toAct
        /// Everybody: in production, and beyond loopback.
        case always
    }

    package var signIn: SignIn {
        guard isOpenToThisMachine else { return .always }
        return asksForSignIn ? .toAct : .never
    }

    /// Whether whoever can connect to the console owns the machine's account and has a sandbox before them: in test mode on loopback.
    var isOpenToThisMachine: Bool { mode == .test && consoleListener.address.isLoopback && !consoleIsBehindTLS }

    /// Refuses what cannot be served safely, with `configuration-invalid`.
    package func validate() throws(ServerError) {
        guard !roles.isEmpty else { throw invalid("no role is chosen") }
        if !consoleListener.address.isLoopback, consoleListener.tls == nil, !consoleIsBehindTLS {
            throw invalid("a console beyond loopback needs TLS: session cookies would travel in the clear")
        }
        if let traceToken, traceToken.reveal().utf8.count < 32 { throw invalid("the trace token is shorter than 32 bytes") }
        if let metricsToken, metricsToken.reveal().utf8.count < 32 { throw invalid("the metrics token is shorter than 32 bytes") }
    }

    private func invalid(_ reason: String) -> ServerError {
        ServerError(code: .configurationInvalid, reason: reason, status: .internalServerError)
    }
}

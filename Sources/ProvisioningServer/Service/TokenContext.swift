import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import PaymentCrypto

/// What the services about tokens share.
final class TokenContext: Sendable {
    let host: ProvisioningContext
    let configuration: TokenConfiguration
    /// Those of the configuration at first.
    let decisionKeys: KeyRegister<[P256PrivateKey]>

    init(host: ProvisioningContext, configuration: TokenConfiguration) {
        self.host = host
        self.configuration = configuration
        decisionKeys = KeyRegister(configuration.decisionKeys)
    }

    var database: any Database { host.database }

    /// What the bank's back end is told.
    var events: IssuerEvents { IssuerEvents(identifiers: host.identifiers, issuer: host.configuration.issuer) }

    func now() -> Timestamp { host.clock.now() }
    func policy(of card: StoredCard) -> DecisionPolicy { configuration.policies[card.programme] ?? configuration.defaultPolicy }

    /// The host's context in which tokens follow changes of their cards, as an import needs it.
    var importing: ProvisioningContext { host.observed(by: [TokenFollower(service: LifeCycleService(context: self))]) }

    /// Adds a row to the trail of what was done about provisioning, in the write that does it.
    func audit(
        _ action: String, on object: String, by actor: String, because remark: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        try AuditRecords.append(
            to: "provisioning", by: actor, action: action, object: object, result: remark, at: now,
            merchant: host.configuration.issuer, linking: AuditChain(key: host.configuration.keys.audit), in: tx)
    }

    /// Hands a message to the messenger and reports that, without what it says.
    func send(_ message: CustomerMessage, _ title: String, about: [String: String]) async throws(MessageFailure) {
        let trace = host.trace
        let exchange = trace.record(
            title, .request, from: ProvisioningTrace.issuer, to: ProvisioningTrace.processor,
            fields: [.init("contact", message.contact), .init("text", "‹secret›")], about: about)
        let messenger = configuration.messenger
        let outcome: Result<Void, MessageFailure> = await Exchange.$reported.withValue(trace.mode == .test ? exchange : nil) {
            do throws(MessageFailure) { return .success(try await messenger.send(message)) } catch { return .failure(error) }
        }
        let problem: String? = if case .failure(let failure) = outcome { failure.reason } else { nil }
        trace.record(
            title, .response, from: ProvisioningTrace.processor, to: ProvisioningTrace.issuer, about: about, problem: problem)
        try outcome.get()
    }

    /// Hands a push to the bank's sender and reports that, without what it says.
    func push(
        _ push: CustomerPush, by pusher: any CustomerPusher, about: [String: String]
    ) async throws(MessageFailure) -> CustomerPush.Outcome {
        let trace = host.trace
        let exchange = trace.record(
            "push", .request, from: ProvisioningTrace.issuer, to: ProvisioningTrace.pushSender,
            fields: [.init("subject", push.subject), .init("language", push.language), .init("text", "‹secret›")], about: about)
        let outcome: Result<CustomerPush.Outcome, MessageFailure> = await Exchange.$reported.withValue(
            trace.mode == .test ? exchange : nil
        ) {
            do throws(MessageFailure) { return .success(try await pusher.send(push)) } catch { return .failure(error) }
        }
        let (answer, problem): (String?, String?) =
            switch outcome {
            case .success(.taken): ("taken", nil)
            case .success(.noDevice): ("no device", nil)
            case .failure(let failure): (nil, failure.reason)
            }
        trace.record(
            "push", .response, from: ProvisioningTrace.pushSender, to: ProvisioningTrace.issuer,
            fields: answer.map { [.init("outcome", $0)] } ?? [], about: about, problem: problem)
        return try outcome.get()
    }

    /// Leaves a message to the workers.
    func post(
        _ id: TimeOrderedID, as kind: TokenSender.Kind, to destination: String, about subject: TimeOrderedID, body: some Encodable,
        at now: Timestamp, in tx: any Transaction
    ) throws {
        let insertion = OutboxRecords.insertion(
            OutboxMessage(
                merchant: host.configuration.issuer, id: id, destination: destination, kind: kind.rawValue, subject: subject,
                subjectVersion: 1, body: try JSONDocument.encode(body), schedule: kind.rawValue, dueAt: now, createdAt: now))
        try tx.execute(insertion.sql, insertion.bindings)
    }
}

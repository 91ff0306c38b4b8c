import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import BillfoldTrace
import MiniPrograms

/// What a signed call is about, for the trace: its ids, and its secrets as lengths.
struct SignedCallStory: Sendable {
    static let client: Party = "merchant"
    static let author: Party = "author"

    private let context: WalletContext
    private let call: SignedCall

    init(context: WalletContext, call: SignedCall) {
        self.context = context
        self.call = call
    }

    private static let shown: Set<String> = [
        "appId", "authClientId", "referenceClientId", "grantType", "customerBelongsTo", "version", "releaseVersion", "step", "state",
    ]
    private static let secrets: Set<String> = ["authCode", "accessToken", "refreshToken"]

    func begin(reported: Bool) {
        guard !reported else { return }
        let object = try? call.object()
        context.trace.record(
            title, .request, from: party, to: WalletTrace.wallet, fields: Self.fields(object), about: OAuthStory.about(object, context))
    }

    func end(_ answer: OpenAPIAnswer, reported: Bool) {
        guard !reported else { return }
        let object = try? JSONReader.readObject(answer.body)
        let about = OAuthStory.about(try? call.object(), context).merging(OAuthStory.about(object, context)) { asked, _ in asked }
        let result = [TraceEntry.Field("resultCode", answer.result.resultCode), .init("resultStatus", answer.result.resultStatus.rawValue)]
        context.trace.record(
            title, .response, from: WalletTrace.wallet, to: party, fields: result + Self.fields(object), about: about,
            problem: answer.result.resultStatus == .success ? nil : answer.result.resultMessage)
    }

    private var party: Party {
        switch call.party.who {
        case .client: Self.client
        case .author: Self.author
        }
    }

    private var title: String { call.path.split(separator: "/").last.map(String.init) ?? call.path }

    private static func fields(_ object: JSONObject?) -> [TraceEntry.Field] {
        (object?.members ?? []).compactMap { member in
            guard let text = member.value.string else { return nil }
            if secrets.contains(member.key) { return .init(member.key, Mask.opaque(text)) }
            return shown.contains(member.key) ? .init(member.key, String(text.prefix(128))) : nil
        }
    }
}

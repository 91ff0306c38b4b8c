import AppContainer
import BillfoldJSON
import Foundation
import PaymentCrypto
import WalletAPI

/// The consent page as a sheet of the phone.
struct PhoneConsent: ConsentPage {
    let person: PhonePerson

    func asks(_ question: ConsentQuestion) async -> Bool {
        var sheet = SuperAppScreen.Sheet(.consent, title: question.name)
        sheet.scopes = question.scopes.map { .init(scope: $0, text: Self.words(for: $0)) }
        guard case .yes = await person.asks(sheet) else { return false }
        return true
    }

    /// What a person understands of a scope.
    private static func words(for scope: String) -> String {
        switch WalletScope(rawValue: scope) {
        case .base, .baseUserInfo, .userID: "That it is you"
        case .user, .userInfo: "Your profile: nickname and picture"
        case .userLoginID: "What you log in with"
        case .hashLoginID: "A scrambled form of what you log in with"
        case .nickname: "Your nickname"
        case .name: "Your name"
        case .avatar: "Your picture"
        case .gender: "Your gender"
        case .birthday: "Your birthday"
        case .nationality: "Your nationality"
        case .contactInfo: "How to reach you"
        case .sendMessage, .notificationInbox: "To send you messages"
        case .agreementPay: "To take payments by itself"
        case .cardList: "A list of your cards"
        case nil: scope
        }
    }
}

/// The wallet's cashier: its pages, in another tab of the browser that the phone is.
///
/// The app opens the cashier's session itself and asks it how it ended. What the address of the way back says is not believed: anybody can
/// write one.
struct PhoneCashier: WalletCashier {
    let person: PhonePerson
    /// As the browser reaches it.
    let wallet: String
    let network: any PhoneNetwork
    /// Told what passes between the app and the cashier.
    let report: @Sendable (_ isAnswer: Bool, _ title: String, _ status: String) -> Void

    func pays(_ order: CashierOrder, in context: IAPWalletAPIContext?) async throws -> PaymentEnding {
        let path: String
        switch order {
        case .orderString(let text): path = try await opened(["order": text])
        case .tradeNumber(let number): path = try await opened(["tradeNO": number])
        case .paymentURL(let address):
            // A page of somebody else's would only look like the cashier.
            guard address.text.hasPrefix(wallet + "/cashier/"), let rest = Self.session(String(address.text.dropFirst(wallet.count))) else {
                throw WalletFailure(.appServiceError, "paymentUrl is no page of the wallet's cashier")
            }
            path = rest
        }
        var sheet = SuperAppScreen.Sheet(.cashier, title: context?.appName)
        sheet.away = wallet + path
        _ = await person.asks(sheet)
        return await ending(of: path)
    }

    /// `/cashier/<token>` and nothing behind it.
    private static func session(_ path: String) -> String? {
        let token = path.dropFirst("/cashier/".count)
        return path.hasPrefix("/cashier/") && token.utf8.count == 64 && token.allSatisfy(\.isHexDigit) ? path : nil
    }

    /// Opens a session of the cashier. Throws only while nothing could have been paid.
    private func opened(_ fields: [String: String]) async throws -> String {
        let form = fields.merging(["scheme": SuperAppPhone.scheme]) { first, _ in first }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(PercentEncoding.encode($0.value.utf8))" }.joined(separator: "&")
        let answer: RequestingHost.Response
        do { answer = try await ask("/cashier", form) } catch { throw WalletFailure(.systemError, "the wallet does not answer") }
        guard answer.status == 303, let path = answer.headers.first(where: { $0.name == "location" })?.value,
            let session = Self.session(path)
        else { throw WalletFailure(.appServiceError, "the cashier does not take the order (status \(answer.status))") }
        return session
    }

    /// How the session ended. It is closed, so that nothing is paid in it later; a payment that is under way goes on, and its end is not
    /// known here.
    private func ending(of path: String) async -> PaymentEnding {
        guard let answer = try? await ask("\(path)/closing", ""), answer.status == 200,
            let status = (try? JSONReader.readObject(answer.body, maximumBytes: 262_144))?["resultStatus"]?.string
        else { return .unknown }
        return PaymentEnding(rawValue: status) ?? .unknown
    }

    private func ask(_ path: String, _ form: String) async throws -> RequestingHost.Response {
        guard let address = URL(string: wallet + path) else { throw RequestingHost.NoAnswer.network }
        let title = path.hasSuffix("/closing") ? "close the cashier" : "open the cashier"
        report(false, title, "")
        do {
            let answer = try await network.send(
                .init(
                    method: "POST", address: address, headers: ["content-type": "application/x-www-form-urlencoded"],
                    body: Array(form.utf8), timeout: .seconds(20)))
            report(true, title, String(answer.status))
            return answer
        } catch {
            report(true, title, "no answer")
            throw error
        }
    }
}

/// The scanner: its sheet is up while a code is looked for.
// Unchecked only because its superclass is: everything it holds is immutable and sendable.
final class PhoneScanner: IAPWalletCodeServiceSignature, @unchecked Sendable {
    private struct Source: CodePictureSource {
        let person: PhonePerson
        let scanning: PhonePerson.Scanning
        func nextPicture(albumAllowed: Bool) async -> CodePicture? { await person.nextPicture(for: scanning) }
    }

    private let person: PhonePerson
    private let decoder: any CodeDecoding

    init(person: PhonePerson, decoder: any CodeDecoding) {
        self.person = person
        self.decoder = decoder
        super.init()
    }

    override func scan(
        with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletScannerResult) -> Void
    ) {
        let (person, decoder) = (person, decoder)
        Task {
            let scanning = person.opensScanner(option.type, albumAllowed: !option.hideAlbum)
            let result = await DecodingCodeService(source: Source(person: person, scanning: scanning), decoder: decoder)
                .scan(with: option, in: context)
            let hasLeft = scanning.hasLeft
            person.closes(scanning)
            callback(hasLeft ? IAPWalletScannerResult().failing(.userCancel, "the person left the scanner") : result)
        }
    }
}

/// The user who is signed in. Which mini programs may ask is the platform's word, by the feature `user-info`.
// Unchecked only because its superclass is: everything it holds is immutable and sendable.
final class PhoneMember: IAPWalletMemberServiceSignature, @unchecked Sendable {
    private let user: SuperAppServer.User

    init(user: SuperAppServer.User) {
        self.user = user
        super.init()
    }

    override func getMemberInfo(
        strategy: IAPWalletMemberInfoFetchStrategy, scope: IAPWalletMemberInfoScope? = nil, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletMemberInfoFetchResult) -> Void
    ) {
        let info = IAPWalletMemberInfo(userId: user.number)
        if strategy != .localUserIdOnly { info.nickName = user.name }
        callback(IAPWalletMemberInfoFetchResult(memberInfo: info))
    }
}

import Alipay
import BillfoldTrace
import Foundation
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

/// The wallet's cashier: its pages, in the browser that the phone is.
struct PhoneCashier: WalletCashier {
    let person: PhonePerson
    /// As the browser reaches it.
    let wallet: String

    func pays(_ order: CashierOrder, in context: IAPWalletAPIContext?) async throws -> PaymentEnding {
        var sheet = SuperAppScreen.Sheet(.cashier, title: context?.appName)
        switch order {
        case .orderString(let text):
            let call = AppSwitchURL(order: text, returnScheme: SuperAppPhone.scheme).description
            guard let query = call.split(separator: "?", maxSplits: 1).last else {
                throw WalletFailure(.appServiceError, "the order cannot be handed to the cashier")
            }
            sheet.away = "\(wallet)/wallet/pay?\(query)"
        case .paymentURL(let address):
            // A page of somebody else's would only look like the cashier.
            guard address.text.hasPrefix(wallet + "/cashier/") else {
                throw WalletFailure(.appServiceError, "paymentUrl is no page of the wallet's cashier")
            }
            sheet.away = address.text
        case .tradeNumber(let number):
            guard number.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
                throw WalletFailure(.appServiceError, "tradeNO is no number of a trade")
            }
            sheet.away = "\(wallet)/wallet/pay?tradeNO=\(number)&scheme=\(SuperAppPhone.scheme)"
        }
        switch await person.asks(sheet) {
        case .returned(let address):
            guard let safepay = try? SafepayURL(address) else { return .unknown }
            return PaymentEnding(rawValue: safepay.result.status.rawValue) ?? .unknown
        // Nobody knows what happened there.
        case .cameBack, .yes, .no: return .unknown
        }
    }
}

/// The scanner: its sheet is up while a code is looked for.
// Unchecked only because its superclass is: everything it holds is immutable and sendable.
final class PhoneScanner: IAPWalletCodeServiceSignature, @unchecked Sendable {
    private struct Source: CodePictureSource {
        let person: PhonePerson
        func nextPicture(albumAllowed: Bool) async -> CodePicture? { await person.nextPicture() }
    }

    private let person: PhonePerson
    private let decoding: DecodingCodeService

    init(person: PhonePerson, decoder: any CodeDecoding) {
        self.person = person
        decoding = DecodingCodeService(source: Source(person: person), decoder: decoder)
        super.init()
    }

    override func scan(
        with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletScannerResult) -> Void
    ) {
        let (person, decoding) = (person, decoding)
        Task {
            await person.opensScanner(option.type, albumAllowed: !option.hideAlbum)
            let result = await decoding.scan(with: option, in: context)
            await person.closesScanner()
            callback(result)
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

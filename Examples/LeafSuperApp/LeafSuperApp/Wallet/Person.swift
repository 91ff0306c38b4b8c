import UIKit
import WalletAPI

/// Whoever holds the phone: what they are asked, and what they answer. Questions come one after another.
@MainActor
final class Person {
    let texts = SuperAppTexts(CustomerLanguage(preferred: Locale.preferredLanguages))
    /// The screen that questions are shown over.
    weak var screen: UIViewController?
    private var last: Task<Bool, Never>?

    /// - Parameters:
    ///   - title: The question.
    ///   - message: More about it.
    ///   - yes: The answer that agrees.
    ///   - no: The other; nil where there is nothing to refuse.
    func agrees(_ title: String?, _ message: String?, yes: String, no: String?) async -> Bool {
        let before = last
        let question = Task {
            _ = await before?.value
            return await ask(title, message, yes: yes, no: no)
        }
        last = question
        return await question.value
    }

    private func ask(_ title: String?, _ message: String?, yes: String, no: String?) async -> Bool {
        guard let screen else { return false }
        return await withCheckedContinuation { answer in
            let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
            if let no { alert.addAction(UIAlertAction(title: no, style: .cancel) { _ in answer.resume(returning: false) }) }
            alert.addAction(UIAlertAction(title: yes, style: .default) { _ in answer.resume(returning: true) })
            screen.present(alert, animated: true)
        }
    }
}

/// The consent page: one line for each scope.
struct ConsentAlert: ConsentPage {
    let person: Person

    func asks(_ question: ConsentQuestion) async -> Bool {
        let texts = person.texts
        let lines = texts.lines(of: question) + [texts[.consentNote]]
        return await person.agrees(
            texts.title(of: question), lines.joined(separator: "\n"), yes: texts[.agree], no: texts[.refuse])
    }
}

/// The user who is signed in. Which mini programs may ask is the platform's word.
final class MemberService: IAPWalletMemberServiceSignature, @unchecked Sendable {
    private let user: WalletServer.User

    init(user: WalletServer.User) {
        self.user = user
        super.init()
    }

    override func getMemberInfo(
        strategy: IAPWalletMemberInfoFetchStrategy, scope: IAPWalletMemberInfoScope?, in context: IAPWalletAPIContext?,
        callback: @escaping @Sendable (IAPWalletMemberInfoFetchResult) -> Void
    ) {
        let info = IAPWalletMemberInfo(userId: user.number)
        if strategy != .localUserIdOnly { info.nickName = user.name }
        callback(IAPWalletMemberInfoFetchResult(memberInfo: info))
    }
}

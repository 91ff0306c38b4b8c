import IAPWalletContext

/// Stands for the super app's account.
final class Account: @unchecked Sendable {
    static let current = Account()
    var userId: String? = "user-1"
    var isServerReachable = true
}

final class MemberInfoService: IAPWalletMemberServiceSignature {
    override func getMemberInfo(
        strategy: IAPWalletMemberInfoFetchStrategy,
        scope: IAPWalletMemberInfoScope? = nil,
        in context: IAPWalletAPIContext? = nil,
        callback: @escaping (IAPWalletMemberInfoFetchResult) -> Void
    ) {
        let result = IAPWalletMemberInfoFetchResult()
        guard let userId = Account.current.userId else {
            result.error.code = "1002"
            result.error.localizedDescription = "nobody is signed in"
            callback(result)
            return
        }
        let memberInfo = IAPWalletMemberInfo()
        memberInfo.userId = userId
        switch strategy {
        case .localUserIdOnly:
            break
        case .localCached:
            memberInfo.nickName = "Ada"
        case .remoteFetch:
            guard Account.current.isServerReachable else {
                result.error = NSError(domain: "MemberInfoService", code: MemberInfoService.ERROR_CODE_TIMEOUT, userInfo: nil)
                callback(result)
                return
            }
            memberInfo.nickName = "Ada"
            memberInfo.avatar = "https://img.wallet.example/ada.png"
            memberInfo.gender = "F"
            memberInfo.loginIdType = "EMAIL"
            memberInfo.loginId = "ada@wallet.example"
            memberInfo.extendedInfo = ["level": "gold"]
        @unknown default:
            break
        }
        result.memberInfo = memberInfo
        callback(result)
    }
}

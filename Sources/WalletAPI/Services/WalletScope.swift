/// The documented scopes (mini-programs.md#scopes). Which of them are silent is each super app's own policy.
///
/// Scopes travel as texts: an unknown one is refused by itself and does not fail the others.
public enum WalletScope: String, Sendable, CaseIterable {
    /// The user's id alone; what is asked where no scopes are named [D].
    case base = "auth_base"
    /// The basic profile [D].
    case user = "auth_user"
    case userID = "USER_ID"
    case userLoginID = "USER_LOGIN_ID"
    case hashLoginID = "HASH_LOGIN_ID"
    case nickname = "USER_NICKNAME"
    case name = "USER_NAME"
    case avatar = "USER_AVATAR"
    case gender = "USER_GENDER"
    case birthday = "USER_BIRTHDAY"
    case nationality = "USER_NATIONALITY"
    case contactInfo = "USER_CONTACTINFO"
    /// Messages by SMS or push [D].
    case sendMessage = "SEND_MESSAGE"
    /// Messages in the super app's inbox [D].
    case notificationInbox = "NOTIFICATION_INBOX"
    /// A contract for automatic debit [D].
    case agreementPay = "AGREEMENT_PAY"
    /// The user's cards (SuperQi [D]).
    case cardList = "CARD_LIST"
    /// An older name of ``base`` [D].
    case baseUserInfo = "BASE_USER_INFO"
    /// An older name of ``user`` [D].
    case userInfo = "USER_INFO"
}

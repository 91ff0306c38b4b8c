/// The documented scopes as constants of the OAuth service's base class, with the names that Android's `OAuthService` has [O].
///
/// A subclass may declare them again: see ``IAPWalletErrorTexts``. ``WalletScope`` has the same as an enumeration, with its documents.
public protocol IAPWalletScopeConstants {}

extension IAPWalletScopeConstants {
    /// The user's id alone; what absent scopes mean.
    public static var SCOPE_AUTH_BASE: String { WalletScope.base.rawValue }
    /// The basic profile.
    public static var SCOPE_AUTH_USER: String { WalletScope.user.rawValue }
    /// The user's id.
    public static var SCOPE_USER_ID: String { WalletScope.userID.rawValue }
    /// What the user signs in with.
    public static var SCOPE_USER_LOGIN_ID: String { WalletScope.userLoginID.rawValue }
    /// A hash of what the user signs in with.
    public static var SCOPE_HASH_LOGIN_ID: String { WalletScope.hashLoginID.rawValue }
    /// The nickname.
    public static var SCOPE_USER_NICKNAME: String { WalletScope.nickname.rawValue }
    /// The name.
    public static var SCOPE_USER_NAME: String { WalletScope.name.rawValue }
    /// The picture.
    public static var SCOPE_USER_AVATAR: String { WalletScope.avatar.rawValue }
    /// The gender.
    public static var SCOPE_USER_GENDER: String { WalletScope.gender.rawValue }
    /// The date of birth.
    public static var SCOPE_USER_BIRTHDAY: String { WalletScope.birthday.rawValue }
    /// The nationality.
    public static var SCOPE_USER_NATIONALITY: String { WalletScope.nationality.rawValue }
    /// Telephone, e-mail and the like.
    public static var SCOPE_USER_CONTACTINFO: String { WalletScope.contactInfo.rawValue }
    /// A contract for automatic debit.
    public static var SCOPE_AGREEMENT_PAY: String { WalletScope.agreementPay.rawValue }
    /// An older name of the base.
    public static var SCOPE_BASE_USER_INFO: String { WalletScope.baseUserInfo.rawValue }
    /// An older name of the basic profile.
    public static var SCOPE_USER_INFO: String { WalletScope.userInfo.rawValue }
    /// Messages by SMS or push. Not among Android's constants: named here as its siblings [I].
    public static var SCOPE_SEND_MESSAGE: String { WalletScope.sendMessage.rawValue }
    /// Messages in the super app's inbox. Not among Android's constants: named here as its siblings [I].
    public static var SCOPE_NOTIFICATION_INBOX: String { WalletScope.notificationInbox.rawValue }
    /// The user's cards. Not among Android's constants: named here as its siblings [I].
    public static var SCOPE_CARD_LIST: String { WalletScope.cardList.rawValue }
}

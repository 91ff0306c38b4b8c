public import Foundation

/// What the system does to the app.
@MainActor
extension SimulatedScreen {
    /// Starts the app: its delegate hears it, then its scene's, then it is in front.
    ///
    /// - Parameters:
    ///   - delegate: The app's own.
    ///   - scene: The delegate of its scene, where the app has one.
    ///   - link: What started the app, if a link did.
    ///   - sourceApplication: The bundle of the app that the link came from.
    public func launch(
        _ delegate: any UIApplicationDelegate, scene: (any UIWindowSceneDelegate)? = nil, by link: URL? = nil,
        from sourceApplication: String? = nil
    ) {
        let application = application
        application.delegate = delegate
        var options: [UIApplication.LaunchOptionsKey: Any]?
        if let link, scene == nil, !isOfTheWeb(link) {
            options = [.url: link]
            options?[.sourceApplication] = sourceApplication
        }
        let isWilling = delegate.application(application, willFinishLaunchingWithOptions: options)
        let isLaunched = delegate.application(application, didFinishLaunchingWithOptions: options)
        tell(UIApplication.didFinishLaunchingNotification)
        if let scene {
            let connection = UIScene.ConnectionOptions()
            connection.sourceApplication = sourceApplication
            if let link, isOfTheWeb(link) {
                connection.userActivities = [browsing(link)]
            } else if let link {
                connection.urlContexts = [UIOpenURLContext(url: link, sourceApplication: sourceApplication)]
            }
            let session = UISceneSession()
            session.configuration = delegate.application(application, configurationForConnecting: session, options: connection)
            let made = UIWindowScene(session: session, connectionOptions: connection)
            made.delegate = scene
            application.connectedScenes.insert(made)
            scene.scene(made, willConnectTo: made.session, options: connection)
        } else if let link, isWilling, isLaunched {
            hand(link, from: sourceApplication)
        }
        // A scene enters the foreground when it starts, an app without scenes does not.
        application.applicationState = scene == nil ? .inactive : .background
        comeToFront()
    }

    /// Opens a link into the running app, as another app or the system does: the app comes to the front for it.
    ///
    /// - Parameters:
    ///   - link: The link, of a scheme that is the app's. One of the web arrives as an activity of browsing.
    ///   - sourceApplication: The bundle of the app that opens it.
    /// - Returns: Whether the app said that the link was its own; of an app with scenes, whether there is a scene.
    @discardableResult
    public func openInApp(_ link: URL, from sourceApplication: String? = nil) -> Bool {
        enterForeground()
        let isTaken = hand(link, from: sourceApplication)
        becomeActive()
        return isTaken
    }

    /// Sends the app to the background, as another app that comes to the front does.
    public func goToBackground() {
        guard application.applicationState != .background else { return }
        resignActive()
        application.applicationState = .background
        for scene in application.connectedScenes {
            scene.activationState = .background
            scene.delegate?.sceneDidEnterBackground(scene)
            tell(UIScene.didEnterBackgroundNotification, scene)
        }
        if application.connectedScenes.isEmpty { application.delegate?.applicationDidEnterBackground(application) }
        tell(UIApplication.didEnterBackgroundNotification)
    }

    /// Brings the app to the front.
    public func comeToFront() {
        enterForeground()
        becomeActive()
    }

    /// Puts something of the system before the app, which stays in sight: it is inactive until `comeToFront()`.
    public func resignActive() {
        guard application.applicationState == .active else { return }
        for scene in application.connectedScenes {
            scene.delegate?.sceneWillResignActive(scene)
            tell(UIScene.willDeactivateNotification, scene)
            scene.activationState = .foregroundInactive
        }
        if application.connectedScenes.isEmpty { application.delegate?.applicationWillResignActive(application) }
        tell(UIApplication.willResignActiveNotification)
        application.applicationState = .inactive
    }

    private func enterForeground() {
        guard application.applicationState == .background else { return }
        application.applicationState = .inactive
        for scene in application.connectedScenes {
            scene.activationState = .foregroundInactive
            scene.delegate?.sceneWillEnterForeground(scene)
            tell(UIScene.willEnterForegroundNotification, scene)
        }
        if application.connectedScenes.isEmpty { application.delegate?.applicationWillEnterForeground(application) }
        tell(UIApplication.willEnterForegroundNotification)
    }

    private func becomeActive() {
        guard application.applicationState != .active else { return }
        application.applicationState = .active
        for scene in application.connectedScenes {
            scene.activationState = .foregroundActive
            scene.delegate?.sceneDidBecomeActive(scene)
            tell(UIScene.didActivateNotification, scene)
        }
        if application.connectedScenes.isEmpty { application.delegate?.applicationDidBecomeActive(application) }
        tell(UIApplication.didBecomeActiveNotification)
    }

    @discardableResult
    private func hand(_ link: URL, from sourceApplication: String?) -> Bool {
        if isOfTheWeb(link) {
            guard let scene = application.connectedScenes.first else {
                return application.delegate?.application(application, continue: browsing(link)) { _ in } ?? false
            }
            scene.delegate?.scene(scene, continue: browsing(link))
            return scene.delegate != nil
        }
        if let scene = application.connectedScenes.first {
            scene.delegate?.scene(scene, openURLContexts: [UIOpenURLContext(url: link, sourceApplication: sourceApplication)])
            return scene.delegate != nil
        }
        var options: [UIApplication.OpenURLOptionsKey: Any] = [.openInPlace: false]
        options[.sourceApplication] = sourceApplication
        return application.delegate?.application(application, open: link, options: options) ?? false
    }

    private func browsing(_ link: URL) -> NSUserActivity {
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        activity.webpageURL = link
        return activity
    }

    private func tell(_ name: Notification.Name, _ object: Any? = nil) {
        NotificationCenter.default.post(name: name, object: object ?? application)
    }
}

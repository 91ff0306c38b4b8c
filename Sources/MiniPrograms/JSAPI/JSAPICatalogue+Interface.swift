extension JSAPICatalogue {
    /// Storage, by user and mini program: 200 KB an item, 10 MB in all (mini-programs.md#storage). Each has a synchronous twin.
    static let storage: [JSAPI] = [
        JSAPI("setStorage", needs: ["key": .string, "data": .any], surfaces: [.script], handler: .container),
        JSAPI("getStorage", needs: ["key": .string], answers: ["data"], surfaces: [.script], handler: .container),
        JSAPI("removeStorage", needs: ["key": .string], surfaces: [.script], handler: .container),
        JSAPI("clearStorage", surfaces: [.script], handler: .container),
        JSAPI("getStorageInfo", answers: ["keys", "currentSize", "limitSize"], surfaces: [.script], handler: .container),
    ].flatMap { [$0, $0.synchronousTwin] }

    /// Pages and the bars around them (mini-programs.md#navigation).
    static let pages: [JSAPI] = [
        JSAPI("navigateTo", needs: ["url": .string], handler: .container),
        JSAPI("redirectTo", needs: ["url": .string], handler: .container),
        JSAPI("navigateBack", takes: ["delta": .number], handler: .container),
        JSAPI("reLaunch", needs: ["url": .string], handler: .container),
        JSAPI("switchTab", needs: ["url": .string], handler: .container),
        JSAPI("postMessage", takes: ["data": .any], surfaces: [.webPage], handler: .container),
        JSAPI("pageScrollTo", takes: ["scrollTop": .number, "duration": .number, "selector": .string], surfaces: [.script]),
        JSAPI("startPullDownRefresh", surfaces: [.script]),
        JSAPI("stopPullDownRefresh", surfaces: [.script]),
        JSAPI(
            "setNavigationBar",
            takes: [
                "title": .string, "image": .string, "backgroundColor": .string, "frontColor": .string, "borderBottomColor": .string,
                "reset": .boolean,
            ]),
        JSAPI("showNavigationBarLoading"), JSAPI("hideNavigationBarLoading"), JSAPI("hideBackHome"),
        JSAPI(
            "setTabBarItem", needs: ["index": .number], takes: ["text": .string, "iconPath": .string, "selectedIconPath": .string],
            surfaces: [.script]),
        JSAPI(
            "setTabBarStyle",
            takes: ["color": .string, "selectedColor": .string, "backgroundColor": .string, "borderStyle": .string], surfaces: [.script]),
        JSAPI("setTabBarBadge", needs: ["index": .number, "text": .string], surfaces: [.script]),
        JSAPI("removeTabBarBadge", needs: ["index": .number], surfaces: [.script]),
        JSAPI("showTabBarRedDot", needs: ["index": .number], surfaces: [.script]),
        JSAPI("hideTabBarRedDot", needs: ["index": .number], surfaces: [.script]),
        JSAPI("showTabBar", takes: ["animation": .boolean], surfaces: [.script]),
        JSAPI("hideTabBar", takes: ["animation": .boolean], surfaces: [.script]),
        JSAPI("createSelectorQuery", surfaces: [.script], handler: .container, isSynchronous: true),
        JSAPI("createAnimation", surfaces: [.script], handler: .container, isSynchronous: true),
        JSAPI("createWebViewContext", surfaces: [.script], handler: .container, isSynchronous: true),
        JSAPI("createCanvasContext", surfaces: [.script], handler: .container, isSynchronous: true),
    ]

    /// Dialogs and pickers, which the host shows (mini-programs.md#dialogs-and-device).
    static let dialogs: [JSAPI] = [
        JSAPI("alert", takes: ["title": .string, "content": .string, "buttonText": .string], bareArgument: "content"),
        JSAPI(
            "confirm",
            takes: ["title": .string, "content": .string, "confirmButtonText": .string, "cancelButtonText": .string],
            answers: ["confirm", "ok"],
            bareArgument: "content"),
        JSAPI(
            "prompt",
            takes: [
                "title": .string, "message": .string, "placeholder": .string, "okButtonText": .string, "cancelButtonText": .string,
            ], answers: ["ok", "inputValue"], bareArgument: "message"),
        JSAPI(
            "showToast", takes: ["content": .string, "type": .string, "duration": .numeric],
            also: ["content": ["title"], "type": ["icon"]], bareArgument: "content"),
        JSAPI("hideToast"),
        JSAPI("showLoading", takes: ["content": .string, "delay": .numeric], also: ["content": ["title"]], bareArgument: "content"),
        JSAPI("hideLoading", takes: ["page": .any]),
        JSAPI(
            "showActionSheet",
            needs: ["items": .array],
            takes: ["title": .string, "cancelButtonText": .string, "destructiveBtnIndex": .number, "badges": .array],
            also: ["items": ["itemList"]], answers: ["index"]),
        JSAPI("hideKeyboard"),
        JSAPI(
            "datePicker", takes: ["format": .string, "currentDate": .string, "startDate": .string, "endDate": .string], answers: ["date"],
            errors: [11: "the person cancelled"]),
        JSAPI(
            "optionsSelect",
            needs: ["optionsOne": .array], takes: ["title": .string, "optionsTwo": .array, "selectedOneIndex": .number],
            answers: ["selectedOneIndex", "selectedOneOption"]),
        JSAPI("multiLevelSelect", needs: ["list": .array], takes: ["title": .string, "name": .string], answers: ["success", "result"]),
        JSAPI(
            "chooseCity", takes: ["showLocatedCity": .boolean, "showHotCities": .boolean, "cities": .array, "hotCities": .array],
            answers: ["city", "adCode"]),
        JSAPI("showAuthGuide", needs: ["authType": .string], answers: ["shown"]),
    ]

    /// The device and its permissions (mini-programs.md#dialogs-and-device).
    static let device: [JSAPI] =
        [
            JSAPI("getSystemInfo", answers: systemInfo),
            JSAPI("getSystemInfo", answers: systemInfo).synchronousTwin,
            JSAPI("getNetworkType", answers: ["networkAvailable", "networkType"]),
            JSAPI("getClipboard", answers: ["text"], permission: .feature("clipboard")),
            JSAPI("setClipboard", needs: ["text": .string], also: ["text": ["data"]], bareArgument: "text"),
            JSAPI("makePhoneCall", needs: ["number": .string], also: ["number": ["phoneNumber"]]),
            JSAPI("vibrate"), JSAPI("vibrateShort"), JSAPI("vibrateLong"),
            JSAPI("getServerTime", answers: ["time"]),
            JSAPI("setKeepScreenOn", needs: ["keepScreenOn": .boolean]),
            JSAPI("getScreenBrightness", answers: ["brightness"]),
            JSAPI("setScreenBrightness", needs: ["brightness": .number]),
            JSAPI("getSetting", answers: ["authSetting"], handler: .container),
            JSAPI("openSetting", answers: ["authSetting"]),
            JSAPI(
                "getLocation", takes: ["type": .numeric, "cacheTimeout": .numeric], answers: ["latitude", "longitude", "accuracy"],
                errors: [11: "no permission", 12: "network", 13: "failed", 14: "timed out"], permission: .feature("location")),
            JSAPI(
                "openLocation",
                needs: ["longitude": .numeric, "latitude": .numeric, "name": .string, "address": .string], takes: ["scale": .number],
                permission: .feature("location")),
            JSAPI("chooseLocation", answers: ["name", "address", "latitude", "longitude"], permission: .feature("location")),
            JSAPI(
                "chooseImage", takes: ["count": .number, "sourceType": .texts], answers: ["apFilePaths", "tempFilePaths"],
                errors: [11: "the person cancelled"], permission: .feature("image")),
            JSAPI("previewImage", needs: ["urls": .array], takes: ["current": .any]),
            JSAPI("saveImage", needs: ["url": .string], permission: .feature("image")),
            JSAPI("getImageInfo", takes: ["src": .string, "apFilePath": .string], answers: ["width", "height", "path"]),
            JSAPI("compressImage", needs: ["apFilePaths": .array], takes: ["level": .number], answers: ["apFilePaths"]),
        ]

    static let systemInfo = [
        "model", "brand", "platform", "system", "version", "app", "language", "pixelRatio", "windowWidth", "windowHeight", "screenWidth",
        "screenHeight", "statusBarHeight", "titleBarHeight", "storage", "currentBattery", "fontSizeSetting",
    ]

    /// What the container itself knows of a run (mini-programs.md#dialogs-and-device).
    static let run: [JSAPI] = [
        JSAPI("canIUse", surfaces: [.script, .webPage], handler: .container, isSynchronous: true, bareArgument: "name"),
        JSAPI("getLaunchOptionsSync", answers: ["path", "query", "scene", "referrerInfo"], handler: .container, isSynchronous: true),
        JSAPI("getRunScene", answers: ["envVersion"], handler: .container),
        JSAPI("getUpdateManager", surfaces: [.script], handler: .container, isSynchronous: true),
        JSAPI("reportAnalytics", takes: ["eventName": .string, "data": .object], handler: .container),
    ]
}

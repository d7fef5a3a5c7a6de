import Accounts
import Completions
import Dialogue
import Domain
import Glibc
import IRC
import IRCProtocol
import Network
import Passwords
import Runtime
import Storage

/// `confab run`: from the configuration to the last commit.
enum Run {
    static func run(file: String?, until stop: StopRequest) async -> ExitStatus {
        guard let (found, configuration) = Configuration.loadOrComplain(named: file) else { return .configuration }
        let log = Log.standardError(level: configuration.log.level, format: configuration.log.format)
        log.info("starting", ["version": confabVersion, "configuration": found])
        stop.onHangUp { log.info("SIGHUP came: nothing is read again; for another configuration start the bot again") }
        do {
            let store = try Store.open(directory: configuration.bot.stateDirectory, log: log)
            let left = try await store.settleLeftovers()
            if left.unfinished > 0 { log.warning("the last run left questions unfinished", ["count": left.unfinished]) }
            if left.unsaid > 0 { log.warning("the last run left answers unsaid", ["count": left.unsaid]) }
            let service = Service(configuration, store, log)
            let control = service.listen(in: configuration.bot.stateDirectory)
            let status = await service.run(until: stop)
            control?.close()
            await store.close()
            log.info("ended", ["status": status.rawValue])
            return status
        } catch {
            let directory = configuration.bot.stateDirectory
            log.error(
                "the store cannot be used", ["directory": directory, "reason": error.detail, "cure": error.hint])
            return error.exitStatus
        }
    }
}

/// The rooms at work.
private struct Service {
    private let link: IRCLink
    private let bot: Bot
    private let store: Store
    private let log: Log
    private let manager = ServiceManager()

    init(_ configuration: Configuration, _ store: Store, _ log: Log) {
        link = IRCLink(
            identity: configuration.identity, networks: configuration.networkSettings,
            policies: STSPolicies(directory: configuration.bot.stateDirectory, log: log), log: log, time: .system)
        let desk = AccountDesk(
            store: store, passwords: PasswordHasher(strength: configuration.accounts.strength),
            settings: configuration.accounts.settings, log: log, time: .system, sendMail: configuration.sendMail)
        bot = Bot(
            link: link, completions: CompletionClient(settings: configuration.completionSettings, log: log),
            store: store, desk: desk, settings: configuration.dialogueSettings, log: log, time: .system)
        self.store = store
        self.log = log
    }

    /// Answers `confab status`. A bot without the socket does everything else.
    func listen(in directory: String) -> ControlSocket? {
        do {
            return try ControlSocket(in: directory) { [link, store] request in
                guard request == Status.request else { return "" }
                return StatusReport.text(of: await link.status(), store: await Self.trouble(of: store))
            }
        } catch {
            log.warning("there is no control socket", ["reason": error.words])
            return nil
        }
    }

    /// Why nothing can be stored; nil where it can.
    private static func trouble(of store: Store) async -> StoreFailure? {
        do throws(StoreFailure) {
            try await store.check()
            return nil
        } catch {
            return error
        }
    }

    /// Says so when the store's files are gone, also where nobody asks anything.
    private func watchStore() async {
        var isTold = false
        while (try? await Task.sleep(for: .seconds(10))) != nil {
            guard !isTold, let trouble = await Self.trouble(of: store) else { continue }
            isTold = true
            log.error(
                "nothing is stored, and nothing taken, any more", ["reason": trouble.detail, "cure": trouble.hint])
        }
    }

    /// What ends by itself, or tells that everything shall.
    private enum Part { case link, bot, stopRequest, watchdog, memory, store, life }

    /// Serves until a signal asks for the end, or until every network has ended for good. A network that was given up
    /// shows in the status, however the others ended.
    func run(until stop: StopRequest) async -> ExitStatus {
        await withTaskGroup { group in
            // Those two alone: whatever watches over the process must run also where the network thread hangs.
            group.addTask(executorPreference: NetworkThread.taskExecutor) {
                await link.run()
                return Part.link
            }
            group.addTask(executorPreference: NetworkThread.taskExecutor) {
                await bot.run()
                return Part.bot
            }
            group.addTask {
                await stop.wait()
                return Part.stopRequest
            }
            if let interval = manager.watchdogInterval {
                group.addTask {
                    await keepAlive(every: interval / 2)
                    return Part.watchdog
                }
            }
            group.addTask {
                await Memory.keepSmall()
                return Part.memory
            }
            group.addTask {
                await showLife()
                return Part.life
            }
            group.addTask {
                await watchStore()
                return Part.store
            }
            manager.ready()
            let first = await group.next()
            // Networks that end from here on end because they are told to.
            let isWhole = first == .stopRequest && link.failures.isEmpty
            let status: ExitStatus = isWhole ? .success : .unavailable
            await end(first == .stopRequest ? "a signal came" : "every network has ended", status)
            // What is still being stored is waited for, hence no cancellation before.
            var atWork: Set<Part> = [.link, .bot]
            if let first { atWork.remove(first) }
            while !atWork.isEmpty, let part = await group.next() { atWork.remove(part) }
            group.cancelAll()
            return status
        }
    }

    private func end(_ reason: String, _ status: ExitStatus) async {
        manager.stopping()
        log.info("ending", ["because": reason])
        for (network, reason) in link.failures {
            log.warning("a network was given up before", ["network": network, "reason": reason])
        }
        Task { await endAtLast(status) }
        await bot.wind(down: Self.grace)
        await link.quit("Ending")
    }

    /// Running answers get this long to arrive once the end has begun.
    private static let grace: Duration = .milliseconds(2500)
    /// The end takes no longer, whatever hangs: service managers kill what does not end, and an operator waits at the
    /// terminal. What is stored is safe, and what is not is found interrupted at the next start.
    private static let maxEndingTime: Duration = .milliseconds(4800)

    private func endAtLast(_ status: ExitStatus) async {
        try? await Task.sleep(for: Self.maxEndingTime)
        log.warning("something did not end in time and is left as it is")
        leave(status.rawValue)
    }

    /// Tells the service manager that the network thread and the tasks still run, for as long as they do.
    private func keepAlive(every interval: Duration) async {
        while !Task.isCancelled {
            await Self.visitNetworkThread()
            manager.alive()
            try? await Task.sleep(for: interval)
        }
    }

    /// Has the process end where tasks and the network thread do not run for a minute or more.
    private func showLife() async {
        repeat {
            await Self.visitNetworkThread()
            LastWord.expectSign(within: .seconds(60))
        } while (try? await Task.sleep(for: .seconds(15))) != nil
        LastWord.expectSign(within: .zero)
    }

    @NetworkThread private static func visitNetworkThread() {}
}

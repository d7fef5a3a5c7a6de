/// What `confab help` says.
enum Help {
    static let usage = """
        Usage: confab run [--config FILE]
               confab check [--config FILE] [--connect]
               confab status [--config FILE]
               confab account list [--config FILE]
               confab account show|disable|enable|set-password NAME [--config FILE]
               confab account admin NAME on|off [--config FILE]
               confab account delete NAME [--yes] [--config FILE]
               confab ignore list [--config FILE]
               confab ignore add PATTERN [--for TIME] [--config FILE]
               confab ignore remove PATTERN [--config FILE]
               confab --version
               confab help
        """

    static let text = """
        Confab, an IRC bot through which people talk to an AI.

        \(usage)

        run        Connects to the networks of the configuration and serves until it is told to stop.
        check      Reads the configuration and lists everything that is wrong with it.
          --connect  Also logs in to each network, without joining a channel, and asks the API for one word.
        status     Asks the bot that runs with this configuration how each network stands: since when it is online or
                   why it is not, nick, services account, channels, lag, lines that wait to be said.
        account    Lists, shows and changes the accounts people made, also while the bot runs. `disable`,
                   `set-password` and `delete` end the account's logins at once. `set-password` asks for the
                   password, or takes the line piped to it. `admin` is who may say ADMIN to the bot.
        ignore     Lists and changes whom the bot does not listen to; one that runs knows within 15 seconds. PATTERN is
                   an account, or a mask like `nick!*@*.example.org`; TIME is e.g. 30m, 12h or 7d.

        FILE is \(Configuration.defaultFiles.map { $0.hasPrefix("/") ? $0 : "./" + $0 }.joined(separator: ", else ")). \
        deploy/confab.toml in the source explains every key of it.

        SIGTERM and SIGINT end it in good order: no new questions, a few seconds for the running ones, QUIT, the
        store closed. A second one ends it at once. SIGHUP changes nothing.

        Exit status:
          0   ended in good order; everything checked is right
          64  the command line was not understood
          65  what was typed or piped in cannot be used
          67  there is no such account, or nobody is ignored by that
          69  a network was given up for good, be it that the bot ended when all were, or that it was told to end
              later; something checked does not answer; no bot runs (status)
          70  memory or descriptors ran out, or the program has a fault
          71  the system denied it threads, descriptors or memory, or nothing happened in it any more
          73  the state directory cannot be made or opened
          74  the store cannot be used: in use by another bot, damaged, from a newer version, disk full
          78  the configuration is missing or wrong
        """
}

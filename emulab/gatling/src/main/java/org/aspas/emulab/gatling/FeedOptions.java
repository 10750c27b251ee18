package org.aspas.emulab.gatling;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what a run does. */
final class FeedOptions {
    private static final int USERS = 40;
    private static final int LEAST_PAYLOAD = 16;
    private static final int MOST_PAYLOAD = 32_768;
    private static final int MOST_SECONDS = 86_400;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    @Option(
            names = "--transport",
            paramLabel = "T",
            description = "http: the JSON API, whose server signs for its users; websocket: the protocol of clients, in"
                    + " which users sign their updates and verify every answer (default: ${DEFAULT-VALUE})")
    private FeedPlan.Transport transport = FeedPlan.Transport.WEBSOCKET;

    @Option(
            names = "--users",
            paramLabel = "N",
            description = "closed model: constant number of users, 1 to 10000 (default: 40, unless --rate is given)")
    private @Nullable Integer users;

    @Option(
            names = "--pace",
            paramLabel = "MS",
            description = "closed model: milliseconds between the starts of a user's operations, 0 to 600000; with 0"
                    + " the next one starts as soon as the answer arrives (default: ${DEFAULT-VALUE})")
    private int paceMillis;

    @Option(
            names = "--rate",
            paramLabel = "R",
            description = "open model: users that arrive each second, regardless of earlier ones, 0.1 to 10000")
    private @Nullable Double rate;

    @Option(
            names = "--operations",
            paramLabel = "K",
            description =
                    "open model: operations of each user before it leaves, 1 to 100000 (default: ${DEFAULT-VALUE})")
    private int operations = 10;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "length of the measured part in seconds, 1 to 86400 (default: ${DEFAULT-VALUE})")
    private int seconds = 30;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "seconds of warm-up, which Gatling reports separately, 0 to 3600 (default: ${DEFAULT-VALUE})")
    private int warmUpSeconds = 10;

    @Option(
            names = "--tau",
            paramLabel = "T",
            description = "number of updates of a user that may be unconfirmed: from 1, unbounded, or shares of the"
                    + " users in percent such as 1=3,1000=30,unbounded=67; over http 1 or unbounded (default:"
                    + " ${DEFAULT-VALUE})")
    private String tolerance = "unbounded";

    @Option(
            names = "--mix",
            paramLabel = "M",
            description = "feed: 60 %% reads, 25 %% views, 10 %% likes, 3 %% comments,"
                    + " 2 %% follows; A: half likes, half reads of likes; update: likes only"
                    + " (default: ${DEFAULT-VALUE})")
    private FeedMix mix = FeedMix.FEED;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            description = "length of a comment in bytes, 16 to 32768 (default: ${DEFAULT-VALUE})")
    private int payload = 128;

    @Option(
            names = "--posts",
            paramLabel = "P",
            description = "number of posts, some of them hot, and of users to follow, 1 to 1000000 (default:"
                    + " ${DEFAULT-VALUE})")
    private int posts = 1000;

    @Option(names = "--seed", paramLabel = "N", description = "seed of all choices (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--p99",
            paramLabel = "MS",
            description = "assert that the 99th percentile of updates and of reads is at most MS milliseconds")
    private @Nullable Integer p99Millis;

    @Option(
            names = "--errors",
            paramLabel = "PERCENT",
            description = "assert that at most PERCENT of the requests fail (default: ${DEFAULT-VALUE})")
    private double errorPercent;

    @Option(
            names = "--descriptor",
            paramLabel = "FILE",
            description = "deployment.json of the deployment to load, with deployment.json.sig and operator.pub beside"
                    + " it; without this option and --base-url, servers are started for the run")
    private @Nullable Path descriptor;

    @Option(
            names = "--base-url",
            paramLabel = "URL",
            description = "address of an appserver, such as http://localhost:8100, in place of the one in the"
                    + " descriptor; repeat it for each appserver. Over http the addresses alone suffice")
    private List<URI> addresses = new ArrayList<>();

    boolean namesServers() {
        return descriptor != null || !addresses.isEmpty();
    }

    /**
     * Checks what can be checked without servers.
     *
     * @throws ParameterException naming an option that is out of range or does not fit another, its value and the range
     */
    void check() {
        check("--users", users == null ? 1 : users, 1, 10_000);
        check("--pace", paceMillis, 0, 600_000);
        check("--rate", rate == null ? 1 : rate, 0.1, 10_000);
        check("--operations", operations, 1, 100_000);
        check("--seconds", seconds, 1, MOST_SECONDS);
        check("--warmup", warmUpSeconds, 0, 3600);
        check("--payload", payload, LEAST_PAYLOAD, MOST_PAYLOAD);
        check("--posts", posts, 1, 1_000_000);
        check("--p99", p99Millis == null ? 1 : p99Millis, 1, 600_000);
        check("--errors", errorPercent, 0, 100);
        refuse(users != null && rate != null, "--users is the closed model and --rate the open one: choose one");
        boolean http = transport == FeedPlan.Transport.HTTP;
        refuse(
                http && !List.of("1", "unbounded").contains(tolerance),
                "over http --tau must be 1 or unbounded, because the server offers no other");
        refuse(
                !http && descriptor == null && !addresses.isEmpty(),
                "--transport websocket needs --descriptor: without it nothing can be verified");
        try {
            ToleranceShares.parse(tolerance);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), "--tau: " + wrong.getMessage(), wrong);
        }
    }

    private void check(String option, double value, double least, double most) {
        refuse(
                value < least || value > most,
                option + " is " + number(value) + ", but must be " + number(least) + " to " + number(most));
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new ParameterException(command.commandLine(), why);
        }
    }

    /**
     * The run that is asked for.
     *
     * @param own the descriptor of servers that were started for this run; null when the options name servers
     */
    FeedPlan plan(@Nullable Path own) throws IOException {
        Path file = own == null ? descriptor : own;
        FeedTarget target = file == null ? new FeedTarget(Optional.empty(), addresses) : FeedTarget.of(file, addresses);
        return new FeedPlan(
                target,
                transport,
                load(),
                new FeedPlan.Content(mix, posts, payload, seed),
                ToleranceShares.parse(tolerance),
                new FeedPlan.Limits(p99Millis == null ? OptionalInt.empty() : OptionalInt.of(p99Millis), errorPercent));
    }

    private FeedPlan.Load load() {
        Double arriving = rate;
        int always = users == null ? USERS : users;
        return new FeedPlan.Load(
                arriving == null ? OptionalInt.of(always) : OptionalInt.empty(),
                Duration.ofMillis(paceMillis),
                arriving == null ? 0 : arriving,
                operations,
                Duration.ofSeconds(warmUpSeconds),
                Duration.ofSeconds(seconds));
    }
}

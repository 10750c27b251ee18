package org.aspas.emulab.gatling;

import io.gatling.app.Gatling$;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.prefs.Preferences;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.aspas.client.deployment.ProgramArguments;
import org.aspas.crdt.value.Printable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./aspas gatling}: the social feed by Gatling. Exit codes are Gatling's. */
@Command(
        name = "aspas gatling",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Let Gatling's virtual users load a deployment with a social feed: they view, like and comment on hot"
                    + " posts, follow authors, and read.",
            "Over WebSocket each user signs its updates, and Gatling counts a request as OK only when its answer and"
                    + " everything that came with it are verified."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all assertions hold",
            "1:wrong usage, or servers that cannot be started or reached at all",
            "2:an assertion does not hold"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas gatling",
            "  aspas gatling --users 100 --seconds 60 --tau 1=3,1000=30,unbounded=67",
            "  aspas gatling --transport http --rate 20 --p99 200 --errors 1",
            "  aspas gatling --descriptor lab/deployment.json --json feed.json",
            "  aspas gatling --byzantine wrong-entries"
        })
public final class GatlingCommand implements Callable<Integer> {
    private static final int HELD = 0;
    private static final int FAILED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private FeedOptions options = new FeedOptions();

    @Option(
            names = "--byzantine",
            paramLabel = "ROLE",
            description = "role in which the last of the servers that are started for the run attacks; 'aspas demo"
                    + " --byzantine list' names the roles")
    private @Nullable String byzantine;

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "folder in which Gatling makes a folder for the run (default: ${DEFAULT-VALUE})")
    private Path results = Path.of(".aspas", "gatling");

    @Option(names = "--json", paramLabel = "FILE", description = "also write the figures to this file")
    private @Nullable Path json;

    public static void main(String[] arguments) {
        String[] exact;
        try {
            exact = ProgramArguments.exact(arguments);
        } catch (IllegalArgumentException notText) {
            System.err.println("aspas: " + notText.getMessage());
            System.exit(FAILED);
            return;
        }
        System.exit(run(exact));
    }

    /** Runs the command; the exit code is returned. */
    static int run(String... arguments) {
        CommandLine line = new CommandLine(new GatlingCommand());
        line.setUsageHelpAutoWidth(true);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExpandAtFiles(false);
        line.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        line.setParameterExceptionHandler(
                (wrong, unused) -> failed(line, wrong.getMessage() + " (see aspas gatling --help)"));
        line.setExecutionExceptionHandler((failure, unused, parsed) ->
                failed(line, failure.getMessage() == null ? failure.toString() : failure.getMessage()));
        return line.execute(arguments);
    }

    private static int failed(CommandLine line, String why) {
        line.getErr().println("aspas: " + Printable.text(why.lines().findFirst().orElse(why)));
        return FAILED;
    }

    @Override
    public Integer call() throws IOException {
        options.check();
        if (options.namesServers()) {
            if (byzantine != null) {
                throw new ParameterException(
                        spec.commandLine(), "--byzantine applies only to servers that are started for the run");
            }
            return run(options.plan(null));
        }
        try (OwnServers servers = OwnServers.start(byzantine)) {
            return run(options.plan(servers.descriptor()));
        }
    }

    private int run(FeedPlan plan) throws IOException {
        Files.createDirectories(results);
        forgetNewReleases(results);
        Set<String> before = runs();
        VerificationCounts counts = FeedSimulation.prepare(plan);
        int code = Gatling$.MODULE$.fromArgs(new String[] {
            "--simulation", FeedSimulation.class.getName(),
            "--results-folder", results.toString()
        });
        Set<String> made = runs();
        made.removeAll(before);
        if (made.size() != 1) {
            throw new IOException("Gatling made " + made.size() + " folders in " + results + ", not one");
        }
        String run = made.iterator().next();
        GatlingReport report = GatlingReport.of(
                plan,
                code == HELD,
                GatlingLog.read(results, run),
                counts,
                results.resolve(run).resolve("index.html").toAbsolutePath().toUri());
        report.lines().forEach(spec.commandLine().getOut()::println);
        if (json != null) {
            report.write(json);
        }
        return code;
    }

    private Set<String> runs() throws IOException {
        try (Stream<Path> folders = Files.list(results)) {
            return folders.filter(folder -> Files.exists(folder.resolve("simulation.log")))
                    .map(folder -> folder.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /**
     * Gatling asks a registry for its newest release at each start, unless its preferences say that it did lately. There is
     * no setting for that; so on Linux it gets preferences of its own, beside the results, that say so for ever.
     */
    private static void forgetNewReleases(Path results) throws IOException {
        if (!"Linux".equals(System.getProperty("os.name"))) {
            return;
        }
        Files.createDirectories(results.resolve(".java").resolve(".userPrefs")); // or the JDK logs that it makes it
        System.setProperty("java.util.prefs.userRoot", results.toAbsolutePath().toString());
        Preferences preferences = Preferences.userRoot().node("/io/gatling/latestVersion");
        preferences.putLong("lastCheckTimestamp", Long.MAX_VALUE / 2);
        preferences.putBoolean("lastCheckSuccess", false);
    }
}

package org.aspas.emulab.experiments.ycsb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.SigningKey;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.FileClientState;
import org.aspas.client.api.Tolerance;
import org.aspas.client.core.Policy;
import org.aspas.client.net.ServerTrust;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory.UnusableDirectory;
import org.aspas.emulab.workload.ObjectKind;
import org.aspas.emulab.workload.YcsbWorkload;
import org.jspecify.annotations.Nullable;

/**
 * What a user of YCSB tells the binding with {@code -p aspas.NAME=VALUE}.
 *
 * @param directory of the deployment: {@code aspas.descriptor}, the directory or the {@code deployment.json} in it
 * @param key whose keys in the directory the clients use, each thread {@code NAME-0}, {@code NAME-1} and so on: {@code
 *     aspas.key}; null for fresh ones
 * @param tolerances τ of the threads in turn: {@code aspas.tau}, numbers from 1 or {@code unbounded}, separated by commas ({@code
 *     unbounded})
 * @param kind what records are: {@code aspas.type}, {@code counters} or {@code sets} ({@code counters})
 * @param elements how many different elements a set can have: {@code aspas.elements} (100)
 * @param home the appserver that all clients turn to: {@code aspas.home}; null for each thread the next one
 * @param inspectPercent how many answers in a hundred are inspected: {@code aspas.inspect} (0)
 * @param authorities who signs the certificates of servers that are reached by TLS, in PEM: {@code aspas.tls-ca}; null for {@code
 *     tls-ca.pem} in the directory, or else whom the JDK trusts
 * @param timeoutSeconds how long an operation or the first session may take: {@code aspas.timeout} (10)
 */
record BindingProperties(
        Path directory,
        @Nullable String key,
        List<Long> tolerances,
        ObjectKind kind,
        int elements,
        @Nullable Integer home,
        double inspectPercent,
        @Nullable Path authorities,
        int timeoutSeconds) {
    private static final String PREFIX = "aspas.";
    private static final double PERCENT = 100.0;
    private static final Set<String> NAMES = Set.of(
            "aspas.descriptor",
            "aspas.key",
            "aspas.tau",
            "aspas.type",
            "aspas.elements",
            "aspas.home",
            "aspas.inspect",
            "aspas.timeout",
            "aspas.tls-ca");

    /**
     * Reads the properties.
     *
     * @throws IllegalArgumentException naming the property and what would be right
     */
    static BindingProperties of(Properties properties) {
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            if (name.startsWith(PREFIX) && !NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no property " + name + ": there are " + new TreeSet<>(NAMES));
            }
        }
        String descriptor = properties.getProperty("aspas.descriptor");
        if (descriptor == null) {
            throw new IllegalArgumentException(
                    "aspas.descriptor is missing: give the directory that 'aspas init' made, or its deployment.json");
        }
        Path path = Path.of(descriptor);
        Path parent = path.toAbsolutePath().getParent();
        String home = properties.getProperty("aspas.home");
        String authorities = properties.getProperty("aspas.tls-ca");
        return new BindingProperties(
                Files.isDirectory(path) || parent == null ? path : parent,
                properties.getProperty("aspas.key"),
                List.of(properties.getProperty("aspas.tau", "unbounded").split(",", -1)).stream()
                        .map(BindingProperties::tolerance)
                        .toList(),
                kind(properties.getProperty("aspas.type", "counters")),
                number(properties, "aspas.elements", YcsbWorkload.ELEMENTS, 1),
                home == null ? null : Integer.valueOf(number(properties, "aspas.home", 0, 0)),
                percent(properties.getProperty("aspas.inspect", "0")),
                authorities == null ? null : Path.of(authorities),
                number(properties, "aspas.timeout", 10, 1));
    }

    private static long tolerance(String text) {
        try {
            return Tolerance.parse(text.strip());
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("aspas.tau: " + wrong.getMessage(), wrong);
        }
    }

    private static ObjectKind kind(String text) {
        try {
            return ObjectKind.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("aspas.type is " + text + ", but must be counters or sets", wrong);
        }
    }

    private static double percent(String text) {
        try {
            double percent = Double.parseDouble(text);
            if (percent >= 0 && percent <= PERCENT) {
                return percent;
            }
        } catch (NumberFormatException none) {
            // said below
        }
        throw new IllegalArgumentException("aspas.inspect is " + text + ", but must be 0 to 100");
    }

    private static int number(Properties properties, String name, int otherwise, int least) {
        String text = properties.getProperty(name, String.valueOf(otherwise));
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException none) {
            // said below
        }
        throw new IllegalArgumentException(name + " is " + text + ", but must be a whole number from " + least);
    }

    /**
     * Connects the client of a thread.
     *
     * @param thread from 0
     * @throws IllegalArgumentException when the deployment's files cannot be used
     */
    AspasClient connect(int thread) {
        DeploymentDirectory files = new DeploymentDirectory(directory);
        Duration timeout = Duration.ofSeconds(timeoutSeconds);
        try {
            Descriptor descriptor = files.descriptor();
            int appservers = descriptor.quorums().appservers();
            int server = home == null ? thread % appservers : home;
            if (server >= appservers) {
                throw new IllegalArgumentException("aspas.home is " + server + ", but must be below " + appservers);
            }
            Path trusted = authorities == null ? files.tlsAuthorities().orElse(null) : authorities;
            ClientOptions options = ClientOptions.defaults()
                    .withTrust(trusted == null ? ServerTrust.usual() : ServerTrust.of(trusted))
                    .withTimeouts(timeout, timeout)
                    .withTolerance(tolerances.get(thread % tolerances.size()))
                    .withPolicy(Policy.USUAL.withInspection(inspectPercent / PERCENT, Integer.MAX_VALUE));
            if (key == null) {
                return AspasClient.connectEphemeral(descriptor, options.withServer(server));
            }
            String name = key + "-" + thread;
            SigningKey own = files.clientKey(name);
            return AspasClient.connect(
                    descriptor,
                    own,
                    server,
                    options.withState(new FileClientState(files.clientPath(name, ".state"), descriptor.id())));
        } catch (UnusableDirectory | IOException unusable) {
            throw new IllegalArgumentException("aspas.descriptor: " + unusable.getMessage(), unusable);
        }
    }
}

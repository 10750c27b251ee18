package org.aspas.emulab.cli;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.aspas.certify.wire.Request;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.FileClientState;
import org.aspas.client.api.Update;
import org.aspas.client.net.Transport;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.awaitility.Awaitility;

/**
 * A process that is a client again and again, each time it is told so on its standard input: {@code NAME online|offline FIRST COUNT}. It
 * makes the updates from FIRST on, which are those of {@link CrashClientMain}, and says {@code try N} before each, {@code ack N} when it
 * is answered, and {@code done} when the client has ended. Offline it reaches no server, and says {@code kept N} when the request is in the
 * client's record and the client has ended.
 */
final class ClientRaceMain {
    private ClientRaceMain() {}

    /** Runs until its input ends. */
    public static void main(String[] arguments) throws Exception {
        DeploymentDirectory lab = new DeploymentDirectory(Path.of(arguments[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("up");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            run(lab, words[0], words[1].equals("online"), Long.parseLong(words[2]), Integer.parseInt(words[3]));
            System.out.println("done");
        }
        System.exit(0);
    }

    private static void run(DeploymentDirectory lab, String name, boolean online, long first, int count)
            throws Exception {
        FileClientState record = new FileClientState(
                lab.clientPath(name, ".state"), lab.descriptor().id());
        ClientOptions options = ClientOptions.defaults()
                .withState(record)
                .withConnectAttempts(20)
                .withTimeouts(Duration.ofMinutes(2), Duration.ofMinutes(2));
        if (!online) {
            options = options.withTransport((index, real) -> ClientRaceMain::unreachable);
        }
        AspasClient client = AspasClient.connect(lab.descriptor(), lab.clientKey(name), 1, options);
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (long update = first; update < first + count; update++) {
            long number = update;
            System.out.println("try " + number);
            Update sent =
                    client.counter(CrashClientMain.counter(name, number)).increment(CrashClientMain.amount(number));
            sent.confirmed().exceptionally(failure -> null);
            answers.add(sent.answered()
                    .thenAccept(answer -> System.out.println("ack " + number))
                    .toCompletableFuture());
        }
        if (online) {
            for (CompletableFuture<?> answer : answers) {
                answer.get();
            }
        } else {
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> own(record, client) == count);
        }
        client.close();
        if (!online && own(record, client) == count) {
            for (long update = first; update < first + count; update++) {
                System.out.println("kept " + update);
            }
        }
    }

    /** How many requests of this start are in the record. */
    private static long own(FileClientState record, AspasClient client) {
        return record.last().unconfirmed().stream()
                .filter(signed -> ((Request) signed.message()).client().equals(client.id()))
                .count();
    }

    /** A server to which no connection ever comes about. */
    private static Transport.Connection unreachable(Transport.Listener listener) {
        return new Transport.Connection() {
            @Override
            public void send(byte[] frame) {
                throw new IllegalStateException("there is no connection");
            }

            @Override
            public void close() {
                listener.closed("closed");
            }
        };
    }
}

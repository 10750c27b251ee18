package org.aspas.emulab.cli;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;

/** Asks all servers of a deployment how they are, as often as one likes. Not thread-safe. */
final class StatusReader {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final DeploymentDirectory directory;
    private final Descriptor descriptor;
    private final HttpClient http;

    StatusReader(DeploymentDirectory directory, TrustOption trust)
            throws DeploymentDirectory.UnusableDirectory, IOException {
        this.directory = directory;
        this.descriptor = directory.descriptor();
        this.http = trust.of(directory).http().connectTimeout(TIMEOUT).build();
    }

    Descriptor descriptor() {
        return descriptor;
    }

    /** What each appserver tells of itself, all asked at once; never fails. */
    List<StatusRow> appservers() {
        List<CompletableFuture<StatusRow>> asked = descriptor.nodes(Role.APPSERVER).stream()
                .map(node -> StatusRow.ask(http, TIMEOUT, descriptor, node))
                .toList();
        return asked.stream().map(CompletableFuture::join).toList();
    }

    List<BftserverRow> bftservers(List<StatusRow> appservers) {
        return BftserverRow.all(
                descriptor, appservers, http, TIMEOUT, directory.root().resolve("run"));
    }
}

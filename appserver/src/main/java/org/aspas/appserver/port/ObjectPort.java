package org.aspas.appserver.port;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.aspas.appserver.core.state.ObjectChange;
import org.aspas.appserver.core.state.ObjectPage;
import org.aspas.appserver.core.state.ObjectView;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;

/**
 * What the server behind the listener tells of its objects, on its own word. Thread-safe. Calls of one thread are taken in their
 * order, but for {@link #pictures}, which may wait for the disk.
 */
public interface ObjectPort {
    /**
     * Watches objects from now on, and no others.
     *
     * @param watcher told what happens to them, on the core's thread: it must return at once; replaces the one before
     */
    void watch(Set<String> keys, Consumer<List<ObjectChange>> watcher);

    /**
     * Shows some objects.
     *
     * @param shown told of them in this order, or of nothing when the server cannot vouch for its state; on the core's thread, between the
     *     changes that are older and those that are newer: it must return at once
     * @return done when they were shown; fails when the server is shutting down
     */
    CompletionStage<?> pictures(List<String> keys, Consumer<Optional<List<ObjectView>>> shown);

    /**
     * Objects of a certificate.
     *
     * @param number the certificate; none for the newest
     * @param from the path with which the page begins
     * @return the page; empty when the certificate is not remembered; fails when the server is shutting down
     */
    CompletionStage<Optional<ObjectPage>> page(CertificateNumber number, Hash from);
}

package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The value of an object at a version, from its certified state and the entries after that (the protocol page,
 * docs/protocol.md §7). It is a function of certificate and entries alone, so that every correct server computes the same,
 * and the same as the live view showed at that version. Where the live view depends on the order of delivery (two contents
 * under one number, one content at two places of which none counted before, or two types under one key), or it is no more
 * known which entry of a number counted, or entries wait for each other, as on a server that took a branch of a log back, there
 * is no value.
 */
public final class Recomputation {
    private final ObjectStore store;
    private final ObjectKey name;
    private final CertificateNumber certificate;
    private final VersionVector certified;
    private final List<Entry> range;
    /** Whether nothing happened between the certificate and the wanted version, to any object. */
    private final boolean atCertificate;

    private final boolean whole;

    private Recomputation(
            ObjectStore store,
            ObjectKey name,
            CertificateNumber certificate,
            VersionVector certified,
            List<Entry> range,
            boolean atCertificate,
            boolean whole) {
        this.store = store;
        this.name = name;
        this.certificate = certificate;
        this.certified = certified;
        this.range = range;
        this.atCertificate = atCertificate;
        this.whole = whole;
    }

    /**
     * A computation from everything: the definition.
     *
     * @param type its datatype, which must exist
     * @param certificate the number of the certificate to begin with, which the store {@link RememberedStates#has}
     * @param certified the version of that certificate
     * @param between all entries after that version up to the wanted one
     */
    public static Recomputation ofAll(
            ObjectStore store,
            String key,
            String type,
            CertificateNumber certificate,
            VersionVector certified,
            List<Entry> between) {
        List<Entry> range = CanonicalOrder.of(between);
        return new Recomputation(
                store,
                new ObjectKey(key, type),
                certificate,
                certified,
                range,
                range.isEmpty(),
                range.size() == between.size());
    }

    /**
     * A computation from what concerns the object, which gives the same where every entry was delivered after all that it depends
     * on. Updates of an object of which none observed the other commute, so the order of their delivery is as good as the canonical one.
     *
     * @param type its datatype, which must exist
     * @param certificate the number of the certificate to begin with, which the store {@link RememberedStates#has}
     * @param certified the version of that certificate
     * @param version the wanted version, which dominates that one
     * @param own the entries at the places that {@link RememberedStates#updates} names after the certificate, in that order
     */
    public static Recomputation ofOwn(
            ObjectStore store,
            String key,
            String type,
            CertificateNumber certificate,
            VersionVector certified,
            VersionVector version,
            List<Entry> own) {
        return new Recomputation(
                store, new ObjectKey(key, type), certificate, certified, own, version.equals(certified), true);
    }

    /** The value, or empty when it is contested. */
    public Optional<Value> value() {
        return live(null).map(Optional::orElseThrow);
    }

    /**
     * What a part of the live view is; empty when it is contested, and without a value when a correct server answers no such
     * question.
     */
    public Optional<Optional<Value>> live(@Nullable ReadPart part) {
        Optional<CertifiedObject> base = store.at(name, certificate);
        List<DeliveredUpdate> updates = new ArrayList<>();
        Map<RequestId, Set<Hash>> contents = new HashMap<>();
        boolean contested = !whole || otherTypeCertified();
        for (Entry entry : range) {
            if (entry.body().message() instanceof Request request) {
                DeliveredUpdate update = DeliveredUpdate.of(entry, request);
                contents.computeIfAbsent(numbered(update), any -> new HashSet<>())
                        .add(update.identity());
                boolean ours = request.key().equals(name.key());
                contested |= ours && !request.type().equals(name.type()) && base.isEmpty();
                if (ours && UpdateEffect.valid(request, name.type())) {
                    updates.add(update);
                }
            }
        }
        contested |= updates.stream().anyMatch(this::countedTooLongAgo);
        contested |= updates.stream()
                .anyMatch(update ->
                        contents.getOrDefault(numbered(update), Set.of()).size() > 1);
        contested |= givenTwice(updates);
        return contested ? Optional.empty() : Optional.of(CertifiedObject.live(replay(base, updates), part));
    }

    /**
     * What a certified read of a part gets at the certificate; without a value as {@link #live}. How much is on a page is for
     * the server to choose that answered: this one is about as long, but no longer than a correct server's.
     *
     * @param part the part; a page of a certain certificate is one of this certificate, as the versions say
     */
    public Optional<Value> certified(ReadPart part, Value answered) {
        long count = answered instanceof Value.Sequence items ? items.items().size() : 0;
        return atCertificate && whole
                ? base(store.at(name, certificate))
                        .part(part, Math.min(count, CertifiedObject.PAGE_ELEMENTS))
                        .map(CertifiedObject.Part::value)
                : Optional.empty();
    }

    /** Whether a number is certified, but no more by which entry: before the certificate to begin with, or after it. */
    private boolean countedTooLongAgo(DeliveredUpdate update) {
        Request request = update.request();
        return store.requests().certified(request.client(), request.number())
                && store.requests().counted(request.client(), request.number()).isEmpty();
    }

    /** Whether a number has several places here and counted at none before: the live view took the first that came. */
    private boolean givenTwice(List<DeliveredUpdate> updates) {
        Set<RequestId> once = new HashSet<>();
        return updates.stream()
                .anyMatch(update ->
                        !once.add(numbered(update)) && countedBefore(update).isEmpty());
    }

    private Optional<Counted> countedBefore(DeliveredUpdate update) {
        Request request = update.request();
        return store.requests()
                .counted(request.client(), request.number())
                .filter(counted -> certified.covers(counted.dot()));
    }

    private static RequestId numbered(DeliveredUpdate update) {
        return RequestId.of(update.request());
    }

    private boolean otherTypeCertified() {
        return DataTypes.all().stream()
                .anyMatch(other -> !other.name().equals(name.type())
                        && store.at(new ObjectKey(name.key(), other.name()), certificate)
                                .isPresent());
    }

    private Crdt replay(Optional<CertifiedObject> certifiedThere, List<DeliveredUpdate> updates) {
        CertifiedObject base = base(certifiedThere);
        Crdt state = base.copy();
        for (DeliveredUpdate update : updates) {
            UpdateEffect.of(update, countedBefore(update).orElseGet(update::counted), base.state())
                    .ifPresent(effect -> effect.on(state));
        }
        return state;
    }

    private CertifiedObject base(Optional<CertifiedObject> certifiedThere) {
        return certifiedThere.orElseGet(() -> CertifiedObject.fresh(
                DataTypes.byName(name.type()).orElseThrow(() -> new IllegalStateException("no type " + name.type()))));
    }
}

package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Confirmation.Covered;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.ClientEvent.RevokedUpdate;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * What servers say of a client's unconfirmed updates: answers, confirmations, and cuts that take answers back (paper §3.6;
 * the protocol page, docs/protocol.md §3, §6 and §8).
 */
public final class UpdateAnswers {
    private final Servers servers;
    private final Window window;
    private final ResponseCheck check;
    private final VerifiedCertificates certificates;
    private final Inspections inspections;
    private final EffectCheck effects;
    private final Step step;

    public UpdateAnswers(
            Servers servers,
            Window window,
            ResponseCheck check,
            VerifiedCertificates certificates,
            Inspections inspections,
            EffectCheck effects,
            Step step) {
        this.servers = servers;
        this.window = window;
        this.check = check;
        this.certificates = certificates;
        this.inspections = inspections;
        this.effects = effects;
        this.step = step;
    }

    /** Takes an answer to an update; {@code finding} is what the common checks found. */
    void answered(Signed<Response> signed, @Nullable NotVerified finding) {
        long number = signed.message().reference();
        PendingUpdate update = window.get(signed.message().client(), number);
        if (update == null) {
            strange(signed.message(), finding);
            return;
        }
        NotVerified wrong = finding != null
                ? finding
                : check.entry(signed.message(), update.body).orElse(null);
        window.queue().done(update.place);
        if (wrong != null) {
            reject(update, wrong);
        } else {
            update.heldHere(step.now());
            Signed<Response> before =
                    update.answers.putIfAbsent(signed.message().server(), signed);
            if (before == null) {
                accept(update, signed);
            } else if (!Objects.equals(before.message().dot(), signed.message().dot())) {
                if (certified(before) && update.supersede(signed)) {
                    accept(update, signed);
                    return;
                }
                reject(update, new NotVerified(Check.REPEATED_ANSWER, "request " + number + " got two dots"));
            }
        }
    }

    /**
     * Whether a certificate covers the place that an answer names. A server may have forgotten what stands there, and then enters the
     * number again, which counts once.
     */
    private boolean certified(Signed<Response> answer) {
        Dot dot = PendingUpdate.dotOf(answer);
        return certificates
                .newest()
                .filter(newest -> newest.content().version().covers(dot))
                .isPresent();
    }

    /** A server says something of an update that is not on its way to it. */
    void hint(Refusal refusal) {
        effects.hint(refusal);
    }

    private void strange(Response response, @Nullable NotVerified finding) {
        if (finding != null) {
            step.notVerified(finding);
        } else if (!window.numbered(response.client(), response.reference())) {
            step.notVerified(
                    new NotVerified(Check.ADDRESS, "an answer to request " + response.reference() + ", never made"));
        }
    }

    private void accept(PendingUpdate update, Signed<Response> answer) {
        update.behindSince = -1;
        inspections.offer(answer, update::question);
        if (window.tolerance() != 1) {
            tell(update, answer);
        }
        PendingUpdate.Early early = update.early;
        if (early != null && early.covered().dot().equals(PendingUpdate.dotOf(answer))) {
            confirm(early.certificate(), update, early.covered());
        }
    }

    /** Whether the answer with this place may still be on its way: its server may have forgotten the place that it answered. */
    private static boolean maybeEnteredAgain(Certificate certificate, Signed<Response> answered, Dot place) {
        Dot before = PendingUpdate.dotOf(answered);
        VersionVector certified = certificate.content().version();
        return place.sequence() > before.sequence() && certified.covers(before) && certified.covers(place);
    }

    /** τ is no longer 1: answers need not wait for the confirmation. */
    void tellAll() {
        for (PendingUpdate update : window.all()) {
            update.answers.values().stream().findFirst().ifPresent(answer -> tell(update, answer));
        }
    }

    private void tell(PendingUpdate update, Signed<Response> answer) {
        if (!update.told) {
            update.told = true;
            step.add(new Effect.Answered(
                    update.call, update.client(), update.number, PendingUpdate.dotOf(answer), answer));
        }
    }

    /**
     * A client that stays with its server tells the application; one that switches gives it to the next server. The
     * request stays unconfirmed in any case, for a proof may still come.
     */
    private void reject(PendingUpdate update, NotVerified wrong) {
        step.notVerified(wrong);
        if (!servers.switching()) {
            update.mayTakeEffect(step, wrong);
        }
    }

    /** Takes a confirmation whose certificate is verified, in the order of the numbers whatever their origins are. */
    void confirmed(Certificate certificate, ClientId client, List<Covered> covered) {
        covered.stream()
                .sorted(Comparator.comparingLong(Covered::number))
                .forEach(item -> confirm(certificate, window.get(client, item.number()), item));
    }

    /** Takes one item of a confirmation whose certificate is verified. Any place that a server answered counts. */
    private void confirm(Certificate certificate, @Nullable PendingUpdate update, Covered covered) {
        if (update == null) {
            return;
        }
        int origin = covered.dot().origin();
        Signed<Response> answer = update.answerAt(covered.dot());
        if (answer == null || maybeEnteredAgain(certificate, answer, covered.dot())) {
            if (origin == servers.current()) {
                update.early = new PendingUpdate.Early(certificate, covered);
            }
            return; // Each place has a leaf of its own, which only the answer with that place tells.
        }
        Optional<NotVerified> wrong = InclusionCheck.check(certificate, covered, answer.message());
        if (wrong.isPresent()) {
            inspections.doubt(answer, update.question());
            if (origin == servers.current()) {
                reject(update, wrong.get()); // Else the server of that answer may have had two logs, and is not here.
            }
            return;
        }
        window.remove(update);
        step.recordChanged();
        tell(update, answer);
        step.add(new Effect.Confirmed(
                update.call, update.client(), update.number, covered.dot(), certificate, covered.proof()));
        effects.confirmed(update, certificate.number());
    }

    /** Announces up to which number everything is confirmed; returns whether that is news. */
    public boolean announce(CertificateNumber certificate) {
        long number = window.newlyConfirmed();
        if (number < 0) {
            return false;
        }
        step.happened(new ClientEvent.Confirmed(number, certificate));
        return true;
    }

    /** A confirmation that names a certificate that proves nothing. */
    void confirmationRejected(ClientId client, List<Covered> covered, NotVerified wrong) {
        if (servers.switching()) {
            return;
        }
        for (Covered item : covered) {
            PendingUpdate update = window.get(client, item.number());
            if (update != null) {
                update.mayTakeEffect(step, wrong);
            }
        }
    }

    /** The present server does not hold it, or does not prove it: it is given an entry of its own. */
    void giveAgain(PendingUpdate update) {
        update.since = -1;
        update.coveredSince = -1;
        window.queue().require(update);
    }

    /** Forgets the answers whose places lie beyond a cut, and says which updates have no place left. */
    public void cut(List<Exclusion> exclusions) {
        List<RevokedUpdate> revoked = new ArrayList<>();
        for (PendingUpdate update : window.all()) {
            Dot lost = null;
            for (Exclusion exclusion : exclusions) {
                Signed<Response> answer = update.answers.get(exclusion.origin());
                if (answer != null && PendingUpdate.dotOf(answer).sequence() > exclusion.cut()) {
                    update.answers.remove(exclusion.origin());
                    lost = PendingUpdate.dotOf(answer);
                }
            }
            if (lost != null && !update.answers.containsKey(servers.current())) {
                giveAgain(update); // The present server may hold it only there.
            }
            if (lost != null && update.answers.isEmpty()) {
                Request request = update.request();
                revoked.add(new RevokedUpdate(
                        update.client(), update.number, lost, request.key(), request.type(), request.operation()));
            }
        }
        if (!revoked.isEmpty()) {
            step.happened(new ClientEvent.Revoked(revoked));
        }
    }
}

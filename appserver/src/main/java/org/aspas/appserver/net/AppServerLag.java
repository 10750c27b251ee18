package org.aspas.appserver.net;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.trace.CertificationSpans;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.lag.StepDurations;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long this server's own entries take from step to step, by what goes into its core and comes out of it. Of the
 * entries under each head one is followed, any of them with equal chance. For one thread.
 *
 * <p>What bftservers say counts when so many have said it that one of them, or a quorum, is correct; no signature is verified for it. A
 * step that never came, or came after the one that it leads to, counts as having come with that one: so the durations of an entry's
 * steps always add up to the whole.
 */
final class AppServerLag {
    private static final int MOST_FOLLOWED = 1024;
    private static final long NEVER = Long.MIN_VALUE;
    /** The steps in their order; a moment is that at which a step ended. */
    private static final LagStep[] STEPS = {
        LagStep.BROADCAST, LagStep.REPORTED, LagStep.ASKED, LagStep.STABLE, LagStep.CERTIFIED, LagStep.CONFIRMED
    };

    private static final int BROADCAST = 0;
    private static final int REPORTED = 1;
    private static final int ASKED = 2;
    private static final int STABLE = 3;
    private static final int CERTIFIED = 4;
    private static final int CONFIRMED = 5;

    /** An entry that is followed, and when its steps ended. */
    private static final class Followed {
        private final long sequence;
        private final long answeredAt;
        private final long[] endedAt = new long[STEPS.length];

        Followed(long sequence, long answeredAt) {
            this.sequence = sequence;
            this.answeredAt = answeredAt;
            Arrays.fill(endedAt, NEVER);
        }
    }

    private final int self;
    private final Quorums quorums;
    private final @Nullable CertificationSpans spans;
    private final StepDurations durations = new StepDurations();
    private final Deque<Followed> followed = new ArrayDeque<>();
    private final long[] reached = new long[STEPS.length];
    private final long[] asked;
    private final long[] signed;
    private @Nullable Followed chosen;
    private long answered;
    private long underHead;
    private long chance = 0x9E3779B97F4A7C15L;

    /** Follows nothing yet; {@code spans} is null without tracing. */
    AppServerLag(int self, Quorums quorums, @Nullable CertificationSpans spans) {
        this.self = self;
        this.quorums = quorums;
        this.spans = spans;
        this.asked = new long[quorums.bftservers()];
        this.signed = new long[quorums.bftservers()];
    }

    /** A copy of what was measured. Any thread may ask for it. */
    StepDurations durations() {
        synchronized (durations) {
            return durations.copy();
        }
    }

    /** To be called before the core handles the event. */
    void happens(Event event, long now) {
        if (!(event instanceof Event.NodeFrame sent) || sent.from().role() != Role.BFTSERVER) {
            return;
        }
        if (sent.frame() instanceof Frame.Sealed sealed && sealed.signed().message() instanceof BftReqStable question) {
            heard(ASKED, asked, sent.from(), question.version(), quorums.oneCorrectBftserver(), now);
        } else if (sent.frame() instanceof Frame.Plain plain && plain.message() instanceof Share share) {
            CertificateContent content = share.content().message();
            heard(CERTIFIED, signed, sent.from(), content.version(), quorums.bftserverQuorum(), now);
            if (spans != null) {
                spans.certified(reached[CERTIFIED], content.number());
            }
        }
    }

    /** To be called with the effects that the core then asked for. */
    void follows(List<Effect> effects, long now) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.ToClient sent) {
                toClient(sent.message(), now);
            } else if (effect instanceof Effect.ToNode sent && sent.message() instanceof Batch batch) {
                if (batch.head().message().origin() == self) {
                    broadcast(batch.head().message().size(), now);
                }
            } else if (effect instanceof Effect.ToNodeSigned sent) {
                Message message = sent.signed().message();
                if (message instanceof VertObft report) {
                    ends(REPORTED, own(report.version()), now);
                    if (spans != null) {
                        spans.reported(reached[REPORTED]);
                    }
                } else if (message instanceof Stable stable) {
                    ends(STABLE, own(stable.version()), now);
                }
            }
        }
    }

    private void toClient(Message message, long now) {
        if (message instanceof Answer answer) {
            Dot dot = answer.response().message().dot();
            if (dot != null && dot.origin() == self && dot.sequence() > answered) {
                answered(dot.sequence(), now);
            }
        } else if (message instanceof Confirmation confirmation) {
            Certificate covering = confirmation.certificate();
            ends(CONFIRMED, own(covering.content().version()), now);
            if (spans != null) {
                spans.certified(reached[CONFIRMED], covering.number());
            }
        }
    }

    private long own(VersionVector version) {
        return self < version.size() ? version.get(self) : 0;
    }

    private void answered(long sequence, long now) {
        answered = sequence;
        chance ^= chance << 13;
        chance ^= chance >>> 7;
        chance ^= chance << 17;
        if (Math.floorMod(chance, ++underHead) == 0) {
            chosen = new Followed(sequence, now);
        }
        if (sequence <= reached[BROADCAST]) {
            broadcast(sequence, now);
        }
    }

    private void broadcast(long size, long now) {
        Followed next = chosen;
        if (next != null && next.sequence <= size) {
            followed.addLast(next);
            if (followed.size() > MOST_FOLLOWED) {
                followed.removeFirst();
            }
            chosen = null;
            underHead = 0;
        }
        ends(BROADCAST, size, now);
    }

    /** A bftserver said something about own entries; the step ends for those about which enough have. */
    private void heard(int step, long[] said, NodeId from, VersionVector version, int enough, long now) {
        if (from.index() < said.length && own(version) > said[from.index()]) {
            said[from.index()] = own(version);
            long[] sorted = said.clone();
            Arrays.sort(sorted);
            ends(step, sorted[sorted.length - enough], now);
        }
    }

    /** A step ended for the own entries up to a number. */
    private void ends(int step, long upTo, long now) {
        if (upTo <= reached[step] && step != BROADCAST) {
            return;
        }
        reached[step] = Math.max(reached[step], upTo);
        for (Followed one : followed) {
            if (one.sequence > upTo) {
                break;
            }
            if (one.endedAt[step] == NEVER) {
                one.endedAt[step] = now;
            }
        }
        while (step == CONFIRMED && !followed.isEmpty() && followed.getFirst().sequence <= upTo) {
            confirmed(followed.removeFirst());
        }
    }

    private void confirmed(Followed entry) {
        long[] ends = entry.endedAt;
        for (int step = CONFIRMED - 1; step >= 0; step--) {
            ends[step] = ends[step] == NEVER || ends[step] - ends[step + 1] > 0 ? ends[step + 1] : ends[step];
        }
        long before = entry.answeredAt;
        synchronized (durations) {
            for (int step = 0; step < STEPS.length; step++) {
                durations.add(STEPS[step], ends[CONFIRMED], ends[step] - before);
                before = ends[step];
            }
            durations.add(LagStep.WHOLE, ends[CONFIRMED], ends[CONFIRMED] - entry.answeredAt);
        }
    }
}

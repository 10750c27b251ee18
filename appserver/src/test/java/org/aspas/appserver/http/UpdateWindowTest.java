package org.aspas.appserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.aspas.appserver.http.JsonClient.UpdateWindow;
import org.aspas.appserver.http.JsonClient.UpdateWindow.RequestId;
import org.aspas.appserver.http.JsonClient.UpdateWindow.Update;
import org.aspas.certify.wire.Refusal;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Which update goes out under which number. */
class UpdateWindowTest {
    private final UpdateWindow window = new UpdateWindow();

    private Update add(String key) {
        Update update =
                new Update(key, "pn-counter", Operation.of("increment", Value.of(1)), new CompletableFuture<>(), null);
        window.add(update);
        return update;
    }

    private List<String> sent() {
        List<String> sent = new ArrayList<>();
        for (Optional<RequestId> next = window.next(); next.isPresent(); next = window.next()) {
            sent.add(next.get().number() + next.get().update().key());
        }
        return sent;
    }

    private Optional<RequestId> refuse(long number, Refusal.Reason reason) {
        return window.refused(new Refusal(number, false, reason, "no"));
    }

    @Test
    void aRefusedUpdateFreesItsNumberOnceAllIsAnswered() {
        add("a");
        Update refused = add("b");
        Update behind = add("c");
        assertThat(sent()).containsExactly("1a", "2b", "3c");
        assertThat(refuse(2, Refusal.Reason.TOO_LARGE)).isEmpty();
        assertThat(refused.reply()).isCompletedWithValueMatching(Reply.Refused.class::isInstance);
        add("d");
        assertThat(refuse(3, Refusal.Reason.BEHIND)).isEmpty();
        assertThat(sent()).isEmpty();
        assertThat(window.answered(1)).isPresent();
        assertThat(sent()).containsExactly("2c", "3d");
        assertThat(behind.reply()).isNotDone();
        assertThat(window.answered(2)).contains(behind);
    }

    @Test
    void anUpdateOfAnotherTypeIsGivenAgainUnderItsNumber() {
        Update misfit = add("a");
        add("b");
        assertThat(sent()).containsExactly("1a", "2b");
        assertThat(refuse(1, Refusal.Reason.WRONG_TYPE)).contains(new RequestId(1, misfit));
        assertThat(misfit.reply()).isCompletedWithValueMatching(Reply.Refused.class::isInstance);
        assertThat(refuse(2, Refusal.Reason.BEHIND)).isEmpty();
        assertThat(window.answered(1)).contains(misfit);
        assertThat(sent()).containsExactly("2b");
    }

    @Test
    void whatIsRefusedAllTogetherIsGone() {
        Update flying = add("a");
        assertThat(sent()).containsExactly("1a");
        Update waiting = add("b");
        window.refuseAll(new Refusal(0, false, Refusal.Reason.BUSY, "closed"));
        assertThat(flying.reply()).isDone();
        assertThat(waiting.reply()).isDone();
        assertThat(window.hasWaiting()).isFalse();
        assertThat(refuse(1, Refusal.Reason.BEHIND)).isEmpty();
    }
}

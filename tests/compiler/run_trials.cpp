// All generated trials, in order.
void run_trials_0();
void run_trials_1();
void run_trials_2();
void run_trials_3();

int main() {
  run_trials_0();
  run_trials_1();
  run_trials_2();
  run_trials_3();
}
